// Work whose parts do not need each other, such as the batches of an evaluation, spread over processes.
#pragma once

#include <functional>
#include <vector>

#include "core/torch.h"
#include "train/workers.h"

namespace minibert {

using Tensors = std::vector<torch::Tensor>;

// What make(0) … make(count - 1) give, in this order, in every process: each makes the parts number rank,
// rank + size, …, and has the others' with the same bits. Every part gives as many tensors, on the CPU.
// `workers` null: all parts are made here. Throws what make throws, and as Workers does.
std::vector<Tensors> make_spread(Workers* workers, size_t count,
                                 const std::function<Tensors(size_t)>& make);

}  // namespace minibert
