#include "export/near_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "infer/format/mbq_format.h"

namespace minibert {
namespace {

namespace mbq = infer::mbq;
using infer::Dtype;

template <class T>
std::vector<T> numbers(const infer::TensorView& tensor) {
  std::vector<T> out(tensor.bytes.size() / sizeof(T));
  std::memcpy(out.data(), tensor.bytes.data(), out.size() * sizeof(T));
  return out;
}

}  // namespace

NearWeights::NearWeights(std::span<const uint8_t> file) {
  const infer::Status status = infer::MbqFile::parse(file, &file_);
  if (!status.ok()) throw Error(status.message());
}

bool NearWeights::quantize(const std::string& name, int32_t rows, int32_t cols,
                           const std::vector<float>& values, QuantizedMatrix* matrix) const {
  const auto tensor = [&](std::string_view suffix) {
    const auto found = file_.tensors.find(name + std::string(suffix));
    return found == file_.tensors.end() ? nullptr : &found->second;
  };
  const infer::TensorView* near = tensor("");
  const infer::TensorView* scales = tensor(mbq::kScaleSuffix);
  const infer::TensorView* low = tensor(mbq::kLowSuffix);
  if (near == nullptr || near->dtype != Dtype::int8 ||
      near->shape != std::vector<int64_t>{rows, cols} || scales == nullptr)
    return false;
  *matrix = {numbers<int8_t>(*near), low == nullptr ? std::vector<int8_t>{} : numbers<int8_t>(*low),
             numbers<float>(*scales)};
  if (matrix->scales.size() != static_cast<size_t>(rows)) return false;

  const size_t width = static_cast<size_t>(cols);
  std::vector<double> differs(values.size());  // in units of the row's scale
  double squares = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double scale = matrix->scales[i / width];
    differs[i] = values[i] / scale - matrix->quantized[i] -
                 (low == nullptr ? 0.0 : matrix->low[i] / double(mbq::kLowSteps));
    squares += differs[i] * scale * differs[i] * scale;
  }
  const double step = kStep * std::sqrt(squares / double(values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    const double units = std::clamp(std::rint(step / matrix->scales[i / width]), 1.0, 127.0);
    const double from = matrix->quantized[i];
    // At the ends of a byte's range fewer steps fit.
    const double steps = std::clamp(std::rint(differs[i] / units), std::ceil((-127 - from) / units),
                                    std::floor((127 - from) / units));
    matrix->quantized[i] = static_cast<int8_t>(from + steps * units);
  }
  return true;
}

}  // namespace minibert
