#include "record/predictions.h"

#include "core/error.h"
#include "record/layout.h"

namespace minibert {
namespace {

constexpr h5::Storage kColumnStorage{4};

std::string path_of(const std::string& column) {
  return std::string(layout::kPredictions) + "/" + column;
}

void check_length(const h5::File& file, const std::string& column, size_t found, size_t expected) {
  if (found != expected)
    throw Error(file.path() + ": " + path_of(column) + ": " + std::to_string(found) +
                " values, expected one for each of " + std::to_string(expected) + " ids");
}

void check_name(const h5::File& file, const Predictions& predictions, const std::string& column) {
  const bool twice = predictions.texts.contains(column) && predictions.numbers.contains(column);
  if (column.empty() || column == layout::kIdColumn || column.find('/') != std::string::npos)
    throw Error(file.path() + ": '" + column + "' cannot be the name of a column of predictions");
  if (twice)
    throw Error(file.path() + ": " + path_of(column) + ": is given as texts and as numbers");
}

}  // namespace

void write_predictions(h5::File& file, const Predictions& predictions) {
  const size_t count = predictions.id.size();
  file.write_texts(path_of(layout::kIdColumn), predictions.id, kColumnStorage);
  for (const auto& [column, values] : predictions.texts) {
    check_name(file, predictions, column);
    check_length(file, column, values.size(), count);
    file.write_texts(path_of(column), values, kColumnStorage);
  }
  for (const auto& [column, values] : predictions.numbers) {
    check_name(file, predictions, column);
    check_length(file, column, values.size(), count);
    file.write(path_of(column), {static_cast<int64_t>(count)}, values.data(), kColumnStorage);
  }
}

Predictions read_predictions(const h5::File& file) {
  Predictions predictions;
  predictions.id = file.read_texts(path_of(layout::kIdColumn));
  const size_t count = predictions.id.size();
  for (const std::string& column : file.children(layout::kPredictions)) {
    if (column == layout::kIdColumn) continue;
    const std::string path = path_of(column);
    if (file.is_text(path)) {
      predictions.texts[column] = file.read_texts(path);
      check_length(file, column, predictions.texts[column].size(), count);
    } else {
      std::vector<int64_t> shape;
      predictions.numbers[column] = file.read<double>(path, &shape);
      if (shape.size() != 1)
        throw Error(file.path() + ": " + path + ": has " + std::to_string(shape.size()) +
                    " dimensions, expected one value for each id");
      check_length(file, column, predictions.numbers[column].size(), count);
    }
  }
  return predictions;
}

}  // namespace minibert
