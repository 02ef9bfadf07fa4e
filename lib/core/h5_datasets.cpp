// Whole datasets and extendible ones.
#include <algorithm>
#include <limits>

#include "core/h5_internal.h"
#include "core/h5_reader.h"
#include "core/sha256.h"

namespace minibert::h5 {
namespace {

constexpr int64_t kChunkBytes = 256 * 1024;
// Bytes in the file for each chunk's index; smaller data stands in the header of its dataset.
constexpr int64_t kChunkIndexBytes = 2048;
// Deflate cannot shrink anything further than 1032:1.
constexpr int64_t kBestCompression = 1032;
// One file may be read whole up to kFreeBytes plus a multiple of its size. Texts padded to the
// longest compress well, weights not at all.
constexpr int64_t kFreeBytes = int64_t{64} << 20;
constexpr int64_t kUsualCompression = 32;

template <class T>
void check_type(hid_t dataset, const std::string& where) {
  const Handle type = own(H5Dget_type(dataset), H5Tclose, where, "has no readable type");
  if (H5Tequal(type.get(), disk_type<T>()) > 0) return;
  const std::string found = type_name(type.get()), expected = type_name(disk_type<T>());
  throw Error(where + ": holds " + (found == expected ? "big-endian " : "") + found +
              ", expected " + expected);
}

std::vector<int64_t> shape_of(hid_t dataset, const std::string& where) {
  const Handle space = own(H5Dget_space(dataset), H5Sclose, where, "has no readable shape");
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0) fail(where, "has no readable shape");
  std::vector<hsize_t> dimensions(static_cast<size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr);
  return {dimensions.begin(), dimensions.end()};
}

// Selects rows [first, first + rows) of the dataset.
Handle select_rows(hid_t dataset, const std::vector<int64_t>& shape, int64_t first, int64_t rows,
                   const std::string& where) {
  Handle space = own(H5Dget_space(dataset), H5Sclose, where, "has no readable shape");
  std::vector<hsize_t> start(shape.size(), 0);
  std::vector<hsize_t> count(shape.begin(), shape.end());
  start[0] = static_cast<hsize_t>(first);
  count[0] = static_cast<hsize_t>(rows);
  check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                            nullptr),
        where, "cannot select rows");
  return space;
}

// On closing a dataset HDF5 writes the rest, and only then reports a failure to write.
void close_written(Handle* handle, const std::string& where) {
  check(H5Dclose(handle->release()), where, "cannot be written");
}

}  // namespace

Dataset::Dataset(std::string where, Handle handle, std::vector<int64_t> shape)
    : handle_(std::move(handle)), where_(std::move(where)), shape_(std::move(shape)) {
  for (size_t i = 1; i < shape_.size(); ++i) columns_ *= shape_[i];
}

template <class T>
void Dataset::append(const T* values, int64_t rows) {
  if (rows == 0) return;
  const Guard guard;
  check_type<T>(handle_.get(), where_);
  const int64_t first = shape_[0];
  std::vector<hsize_t> size(shape_.begin(), shape_.end());
  size[0] = static_cast<hsize_t>(first + rows);
  check(H5Dset_extent(handle_.get(), size.data()), where_, "cannot be extended");
  shape_[0] = first + rows;
  const Handle memory = simple_space({rows * columns_}, where_);
  const Handle file = select_rows(handle_.get(), shape_, first, rows, where_);
  check(H5Dwrite(handle_.get(), memory_type<T>(), memory.get(), file.get(), H5P_DEFAULT, values),
        where_, "cannot be written");
}

template <class T>
void Dataset::read(int64_t first, int64_t rows, T* out) const {
  if (shape_.empty() || first < 0 || rows < 0 || rows > shape_[0] - first)
    throw Error(where_ + ": rows " + std::to_string(first) + " to " + std::to_string(first + rows) +
                " asked for, it has " + std::to_string(this->rows()));
  if (rows == 0) return;
  if (reader_) return reader_->read_rows(number_, first, rows, columns_, out);
  const Guard guard;
  check_type<T>(handle_.get(), where_);
  const Handle memory = simple_space({rows * columns_}, where_);
  const Handle file = select_rows(handle_.get(), shape_, first, rows, where_);
  check(H5Dread(handle_.get(), memory_type<T>(), memory.get(), file.get(), H5P_DEFAULT, out),
        where_, "cannot be read");
}

template <class T>
std::vector<T> Dataset::read(int64_t first, int64_t rows) const {
  std::vector<T> out(static_cast<size_t>(std::max<int64_t>(rows, 0) * columns_));
  read(first, rows, out.data());
  return out;
}
int64_t File::check_size(const std::string& object, const std::vector<int64_t>& shape,
                         size_t element) const {
  const bool limited =
      bytes_ > 0 && bytes_ < std::numeric_limits<int64_t>::max() / kBestCompression;
  const int64_t limit = limited ? bytes_ * kBestCompression : std::numeric_limits<int64_t>::max();
  int64_t size = static_cast<int64_t>(element);
  bool impossible = false;
  for (const int64_t extent : shape) {
    impossible |= extent < 0;
    impossible |= extent != 0 && __builtin_mul_overflow(size, extent, &size);
  }
  if (impossible || size > limit)
    throw Error(where(object) + ": claims to hold more than the file can; the file is damaged");
  return size;
}

int64_t most_read(int64_t bytes) {
  const bool limited = bytes < std::numeric_limits<int64_t>::max() / (2 * kUsualCompression);
  return limited ? kFreeBytes + kUsualCompression * bytes : std::numeric_limits<int64_t>::max();
}

void File::count_bytes(const std::string& object, int64_t size) const {
  if (bytes_ == 0) return;
  const int64_t limit = most_read(bytes_);
  if (size > limit - read_)
    throw Error(where(object) + ": unpacks, with what was read before, to more than " +
                std::to_string(limit >> 20) + " MiB from a file of " +
                std::to_string(bytes_ >> 10) + " KiB; the file is damaged");
  read_ += size;
}

void File::write_sum(const std::string& dataset, const void* bytes, size_t size) {
  Sha256 sum;
  sum.update(bytes, size);
  set_attribute(dataset, kSum, sum.hex());
}

void File::check_sum(const std::string& dataset, const void* bytes, size_t size) const {
  if (!has_attribute(dataset, kSum)) return;  // of an older writer
  Sha256 sum;
  sum.update(bytes, size);
  if (const std::string expected = string_attribute(dataset, kSum), found = sum.hex();
      found != expected)
    throw Error(where(dataset) + ": SHA-256 " + found + ", expected " + expected +
                "; the file is damaged");
}

Handle File::create_dataset(const std::string& dataset, int64_t type,
                            const std::vector<int64_t>& shape, bool extendible,
                            const Storage& storage, size_t element) {
  const std::string place = where(dataset);
  if (const size_t slash = dataset.rfind('/'); slash != std::string::npos && slash > 0)
    make_group(dataset.substr(0, slash));
  const Handle list =
      own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, place, "cannot make a property list");
  check(H5Pset_obj_track_times(list.get(), false), place, "cannot leave out times");
  int64_t bytes = static_cast<int64_t>(element);
  for (const int64_t extent : shape) bytes *= extent;
  if (!extendible && bytes > 0 && bytes <= kChunkIndexBytes) {
    check(H5Pset_layout(list.get(), H5D_COMPACT), place, "cannot be kept in its header");
  } else if (extendible || (storage.gzip > 0 && !shape.empty() && bytes > 0)) {
    std::vector<hsize_t> chunk(shape.begin(), shape.end());
    int64_t row_bytes = static_cast<int64_t>(element);
    for (size_t i = 1; i < shape.size(); ++i) row_bytes *= shape[i];
    int64_t rows = std::max<int64_t>(kChunkBytes / std::max<int64_t>(row_bytes, 1), 1);
    if (!extendible) rows = std::min(rows, shape[0]);
    chunk[0] = static_cast<hsize_t>(rows);
    check(H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data()), place,
          "cannot be chunked");
    if (storage.gzip > 0) {
      check(H5Pset_shuffle(list.get()), place, "cannot be shuffled");
      check(H5Pset_deflate(list.get(), static_cast<unsigned>(storage.gzip)), place,
            "cannot be compressed");
    }
  }
  const Handle space = simple_space(shape, place, extendible);
  return own(H5Dcreate2(handle_.get(), dataset.c_str(), type, space.get(), H5P_DEFAULT, list.get(),
                        H5P_DEFAULT),
             H5Dclose, place, "cannot be made");
}

template <class T>
void File::write(const std::string& dataset, const std::vector<int64_t>& shape, const T* values,
                 const Storage& storage) {
  const Guard guard;
  Handle handle = create_dataset(dataset, disk_type<T>(), shape, false, storage, sizeof(T));
  check(H5Dwrite(handle.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
        where(dataset), "cannot be written");
  size_t count = 1;
  for (const int64_t extent : shape) count *= static_cast<size_t>(extent);
  write_sum(dataset, values, count * sizeof(T));
  close_written(&handle, where(dataset));
}

template <class T>
std::vector<T> File::read(const std::string& dataset, std::vector<int64_t>* shape) const {
  if (reader_) return reader_->read<T>(dataset, shape);
  const Guard guard;
  const std::string place = where(dataset);
  const Handle handle = open_dataset(dataset);
  check_type<T>(handle.get(), place);
  const std::vector<int64_t> dimensions = shape_of(handle.get(), place);
  count_bytes(dataset, check_size(dataset, dimensions, sizeof(T)));
  int64_t count = 1;
  for (const int64_t extent : dimensions) count *= extent;
  std::vector<T> values(static_cast<size_t>(count));
  check(H5Dread(handle.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        place, "cannot be read");
  check_sum(dataset, values.data(), values.size() * sizeof(T));
  if (shape != nullptr) *shape = dimensions;
  return values;
}

void File::write_text(const std::string& dataset, const std::string& text) {
  const Guard guard;
  const Handle type = text_type(text.size(), where(dataset));
  std::string padded = text;
  if (padded.empty()) padded.push_back('\0');
  Handle handle = create_dataset(dataset, type.get(), {}, false, {}, padded.size());
  check(H5Dwrite(handle.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()),
        where(dataset), "cannot be written");
  write_sum(dataset, padded.data(), padded.size());
  close_written(&handle, where(dataset));
}

std::string File::read_text(const std::string& dataset) const {
  const std::vector<std::string> texts = read_texts(dataset);
  if (texts.size() != 1) throw Error(where(dataset) + ": is an array, expected one text");
  return texts[0];
}

void File::write_texts(const std::string& dataset, const std::vector<std::string>& texts,
                       const Storage& storage) {
  const Guard guard;
  const std::string place = where(dataset);
  size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  const Handle type = text_type(width, place);
  const auto count = static_cast<int64_t>(texts.size());
  Handle handle = create_dataset(dataset, type.get(), {count}, false, storage, width);
  // A block of rows at a time: one long text must not multiply by the number of rows in memory.
  const auto block = std::max<int64_t>(kChunkBytes / static_cast<int64_t>(width), 1);
  Sha256 sum;
  for (int64_t first = 0; first < count; first += block) {
    const int64_t rows = std::min(block, count - first);
    std::string bytes(static_cast<size_t>(rows) * width, '\0');
    for (int64_t row = 0; row < rows; ++row) {
      const std::string& text = texts[static_cast<size_t>(first + row)];
      std::copy(text.begin(), text.end(), bytes.begin() + row * static_cast<int64_t>(width));
    }
    const Handle memory = simple_space({rows}, place);
    const Handle file = select_rows(handle.get(), {count}, first, rows, place);
    check(H5Dwrite(handle.get(), type.get(), memory.get(), file.get(), H5P_DEFAULT, bytes.data()),
          place, "cannot be written");
    sum.update(bytes.data(), bytes.size());
  }
  set_attribute(dataset, kSum, sum.hex());
  close_written(&handle, place);
}

bool File::is_text(const std::string& dataset) const {
  if (reader_) return reader_->ask<bool>(Question::is_text, dataset);
  const Guard guard;
  const Handle handle = open_dataset(dataset);
  const Handle type =
      own(H5Dget_type(handle.get()), H5Tclose, where(dataset), "has no readable type");
  return H5Tget_class(type.get()) == H5T_STRING;
}

std::vector<std::string> File::read_texts(const std::string& dataset) const {
  if (reader_) return reader_->ask<std::vector<std::string>>(Question::read_texts, dataset);
  const Guard guard;
  const std::string place = where(dataset);
  const Handle handle = open_dataset(dataset);
  const Handle type = own(H5Dget_type(handle.get()), H5Tclose, place, "has no readable type");
  check_text_type(type.get(), place);
  const size_t width = H5Tget_size(type.get());
  const std::vector<int64_t> shape = shape_of(handle.get(), place);
  const int64_t size = check_size(dataset, shape, width);
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  // Each becomes a string of its own.
  count_bytes(dataset, size + count * static_cast<int64_t>(sizeof(std::string)));
  std::string bytes(static_cast<size_t>(count) * width, '\0');
  check(H5Dread(handle.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), place,
        "cannot be read");
  check_sum(dataset, bytes.data(), bytes.size());
  std::vector<std::string> texts;
  texts.reserve(static_cast<size_t>(count));
  for (size_t at = 0; at < bytes.size(); at += width)
    texts.push_back(without_padding(bytes.data() + at, width));
  return texts;
}

template <class T>
Dataset File::create_rows(const std::string& dataset, int64_t columns, const Storage& storage) {
  const Guard guard;
  std::vector<int64_t> shape = {0};
  if (columns > 0) shape.push_back(columns);
  Handle handle = create_dataset(dataset, disk_type<T>(), shape, true, storage, sizeof(T));
  return Dataset(where(dataset), std::move(handle), std::move(shape));
}

Dataset File::open_rows(const std::string& dataset) const {
  if (reader_) {
    std::vector<int64_t> shape;
    const int64_t number = reader_->open_rows(dataset, &shape);
    Dataset rows(where(dataset), {}, std::move(shape));
    rows.reader_ = reader_;
    rows.number_ = number;
    return rows;
  }
  const Guard guard;
  Handle handle = open_dataset(dataset);
  std::vector<int64_t> shape = shape_of(handle.get(), where(dataset));
  if (shape.empty()) throw Error(where(dataset) + ": is one value, expected rows");
  const Handle type =
      own(H5Dget_type(handle.get()), H5Tclose, where(dataset), "has no readable type");
  check_size(dataset, shape, H5Tget_size(type.get()));
  return Dataset(where(dataset), std::move(handle), std::move(shape));
}

#define MINIBERT_H5_TYPE(T)                                                            \
  template void Dataset::append(const T*, int64_t);                                    \
  template void Dataset::read(int64_t, int64_t, T*) const;                             \
  template std::vector<T> Dataset::read(int64_t, int64_t) const;                       \
  template void File::write(const std::string&, const std::vector<int64_t>&, const T*, \
                            const Storage&);                                           \
  template std::vector<T> File::read(const std::string&, std::vector<int64_t>*) const; \
  template Dataset File::create_rows<T>(const std::string&, int64_t, const Storage&);
MINIBERT_H5_EACH_TYPE(MINIBERT_H5_TYPE)
#undef MINIBERT_H5_TYPE

}  // namespace minibert::h5
