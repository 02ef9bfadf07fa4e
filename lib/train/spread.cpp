#include "train/spread.h"

#include <torch/serialize.h>

#include <algorithm>
#include <string>

namespace minibert {
namespace {

// Returns the tensors of every process, by rank.
std::vector<Tensors> gather(Workers& workers, const Tensors& own) {
  const std::vector<char> bytes = torch::pickle_save(own);
  // Asked for as text, which waits for a process that is slower, however long it takes.
  std::vector<int64_t> sizes;
  for (const std::string& size : workers.from_all(std::to_string(bytes.size())))
    sizes.push_back(std::stoll(size));
  int64_t total = 0;
  for (const int64_t size : sizes) total += size;
  torch::Tensor all = torch::zeros({total}, torch::kUInt8);
  std::vector<torch::Tensor> places = all.split_with_sizes(sizes);
  std::ranges::copy(bytes, places[static_cast<size_t>(workers.rank())].data_ptr<uint8_t>());
  workers.sum(all);  // of bytes and zeros
  std::vector<Tensors> out;
  for (const torch::Tensor& place : places) {
    const auto* data = reinterpret_cast<const char*>(place.data_ptr<uint8_t>());
    out.push_back(
        torch::pickle_load(std::vector<char>(data, data + place.numel())).toTensorVector());
  }
  return out;
}

}  // namespace

std::vector<Tensors> make_spread(Workers* workers, size_t count,
                                 const std::function<Tensors(size_t)>& make) {
  const size_t rank = workers != nullptr ? static_cast<size_t>(workers->rank()) : 0;
  const size_t size = workers != nullptr ? static_cast<size_t>(workers->size()) : 1;
  std::vector<Tensors> out(count);
  for (size_t i = rank; i < count; i += size) out[i] = make(i);
  if (workers == nullptr) return out;
  Tensors own;
  for (const Tensors& part : out)
    for (const torch::Tensor& one : part)
      own.push_back(one.clone());  // without what it is a view of
  const std::vector<Tensors> all = gather(*workers, own);
  // How many numbers a part has; the first process has as many parts as any.
  const auto each =
      static_cast<ptrdiff_t>(count > 0 ? all[0].size() / ((count + size - 1) / size) : 0);
  for (size_t other = 0; other < size; ++other) {
    auto next = all[other].begin();
    for (size_t i = other; i < count; i += size, next += each) out[i].assign(next, next + each);
  }
  return out;
}

}  // namespace minibert
