// Spreads independent parts of work, such as the batches of an evaluation, over processes.
#pragma once

#include <functional>
#include <vector>

#include "core/torch.h"
#include "train/workers.h"

namespace minibert {

using Tensors = std::vector<torch::Tensor>;

// Returns the results of make(0) … make(count - 1), in this order, in every process. Each process
// makes parts rank, rank + size, … and receives the others with the same bits. Every part has the
// same number of tensors, on the CPU. With `workers` null all parts are made here. Throws the
// errors of make and of Workers.
std::vector<Tensors> make_spread(Workers* workers, size_t count,
                                 const std::function<Tensors(size_t)>& make);

}  // namespace minibert
