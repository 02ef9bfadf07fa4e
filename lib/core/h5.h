// HDF5 files: groups, attributes, whole datasets and extendible ones that grow row by row. A
// process-wide mutex lets one thread at a time into HDF5; one object still belongs to one thread at
// a time. A dataset that is written whole gets an attribute "sha256" (kSum) of its bytes as they
// are stored, and reading it whole compares it: HDF5's own checksums cover its metadata alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace minibert::h5 {

inline constexpr char kSum[] = "sha256";

// There was not enough memory, which is no fault of what was read.
class MemoryError : public Error {
 public:
  using Error::Error;
};

class Reader;

// Owns an HDF5 identifier and closes it once, ignoring errors.
class Handle {
 public:
  using Close = int (*)(int64_t);
  Handle() = default;
  Handle(int64_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept { *this = std::move(other); }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle();
  int64_t get() const { return id_; }
  // Gives the identifier away.
  int64_t release() { return std::exchange(id_, -1); }

 private:
  int64_t id_ = -1;
  Close close_ = nullptr;
};

// T is uint8_t, uint16_t, int32_t, int64_t, float or double, little-endian on disk. Throws Error
// where a dataset has another type.

struct Storage {
  int gzip = 0;  // 0 (none) to 9; with it goes the byte shuffle filter, and chunks of about 256 KiB
};

// Rows (the first dimension) of values. Must not outlive its File.
class Dataset {
 public:
  // Values in one row: the product of the other dimensions; 1 for a 1-D dataset.
  int64_t columns() const { return columns_; }
  int64_t rows() const { return shape_.empty() ? 1 : shape_[0]; }
  const std::vector<int64_t>& shape() const { return shape_; }

  // Adds `rows` rows of columns() values at the end of an extendible dataset.
  template <class T>
  void append(const T* values, int64_t rows);
  // Reads rows [first, first + rows) into `out` of rows * columns() values.
  template <class T>
  void read(int64_t first, int64_t rows, T* out) const;
  template <class T>
  std::vector<T> read(int64_t first, int64_t rows) const;

 private:
  friend class File;
  Dataset(std::string where, Handle handle, std::vector<int64_t> shape);
  Handle handle_;
  std::shared_ptr<Reader> reader_;  // which has it open as this number, where another process reads
  int64_t number_ = 0;
  std::string where_;  // "file: /path", for messages
  std::vector<int64_t> shape_;
  int64_t columns_ = 1;
};

// A sealed file begins with a user block of 512 bytes (HDF5's place for what is not HDF5), which
// holds the CRC-32 of everything after it; opening the file compares it. Text attributes of a
// sealed file have variable length, which h5py reads as `str`. Those of other files have a fixed
// length: HDF5 keeps variable ones in heaps without a checksum and crashes on a damaged heap.
enum class Seal { no, yes };

// Every call throws Error "file: object: what failed (HDF5's own message)".
class File {
 public:
  // Creates or truncates. Groups keep the order in which their members were written.
  static File create(const std::string& path, Seal seal = Seal::no);
  // Opens for reading. Errors: missing, a folder, not HDF5, truncated, a broken seal. Never reads
  // outside the file: links that are not plain, external storage and filter plug-ins are errors.
  // Whoever wrote the file: libhdf5 parses it in a process of its own, which may read this file and
  // do nothing else as far as the kernel can see to that. A crash there is an error here.
  static File open(const std::string& path);
  // For fuzzers and debuggers, which have to see libhdf5: open() reads in this process (false).
  static void read_apart(bool yes);
  // What holds while an opened file is read, as "a process of its own, Landlock, seccomp".
  std::string confinement() const;
  // Whether an opened file has a seal, which opening it compared.
  bool is_sealed() const { return seal_ == Seal::yes; }

  const std::string& path() const { return path_; }
  // Closes the file and its datasets, reports errors (a full disk shows here at the latest) and
  // seals. The destructor swallows errors and leaves a sealed file without its seal.
  void close();
  // Hands all data to the operating system, so that it stays readable when the process is killed.
  void flush();

  bool exists(const std::string& object) const;
  bool is_group(const std::string& object) const;
  // A dataset of strings, of fixed length or not.
  bool is_text(const std::string& dataset) const;
  // Names in a group, in the order written. Throws Error where groups lie in more than 16 levels.
  std::vector<std::string> children(const std::string& group) const;
  // Makes the group and its parents; an existing group is no error. Datasets make their own
  // parents.
  void make_group(const std::string& group);

  void set_attribute(const std::string& object, const std::string& name, const std::string& value);
  void set_attribute(const std::string& object, const std::string& name, int64_t value);
  void set_attribute(const std::string& object, const std::string& name, double value);
  bool has_attribute(const std::string& object, const std::string& name) const;
  std::vector<std::string> attributes(const std::string& object) const;
  std::string string_attribute(const std::string& object, const std::string& name) const;
  // A list of strings of fixed length or not (other programs write both), one dimension.
  std::vector<std::string> strings_attribute(const std::string& object,
                                             const std::string& name) const;
  int64_t int_attribute(const std::string& object, const std::string& name) const;
  double double_attribute(const std::string& object, const std::string& name) const;

  // Writes and reads a whole dataset at once; an empty shape is a scalar.
  template <class T>
  void write(const std::string& dataset, const std::vector<int64_t>& shape, const T* values,
             const Storage& storage = {});
  template <class T>
  std::vector<T> read(const std::string& dataset, std::vector<int64_t>* shape = nullptr) const;

  // Writes text as one fixed-length UTF-8 string; trailing NULs are lost.
  void write_text(const std::string& dataset, const std::string& text);
  std::string read_text(const std::string& dataset) const;
  // Writes a column of UTF-8 strings, all padded to the longest.
  void write_texts(const std::string& dataset, const std::vector<std::string>& texts,
                   const Storage& storage = {});
  std::vector<std::string> read_texts(const std::string& dataset) const;

  // Makes an empty, extendible dataset: 1-D with columns = 0, else [rows, columns].
  template <class T>
  Dataset create_rows(const std::string& dataset, int64_t columns = 0, const Storage& storage = {});
  // Opens any numeric dataset for reading by rows.
  Dataset open_rows(const std::string& dataset) const;

 private:
  friend class Reader;
  File(std::string path, Handle handle, int64_t bytes, Seal seal);
  static File open_here(const std::string& path);
  std::string where(const std::string& object) const { return path_ + ": " + object; }
  // Throws unless a dataset of that size can be in a file of this size: damaged or hostile headers
  // would otherwise ask for any amount of memory.
  int64_t check_size(const std::string& object, const std::vector<int64_t>& shape,
                     size_t element) const;
  // Checks the sum of all that is read whole: many small datasets could unpack to a lot.
  void count_bytes(const std::string& object, int64_t size) const;
  void write_sum(const std::string& dataset, const void* bytes, size_t size);
  void check_sum(const std::string& dataset, const void* bytes, size_t size) const;
  Handle open_object(const std::string& object) const;
  Handle open_dataset(const std::string& dataset) const;
  Handle create_dataset(const std::string& dataset, int64_t type, const std::vector<int64_t>& shape,
                        bool extendible, const Storage& storage, size_t element);
  Handle write_attribute(const std::string& object, const std::string& name, int64_t file_type,
                         int64_t memory_type, const void* value);
  void read_attribute(const std::string& object, const std::string& name, int64_t type_class,
                      int64_t memory_type, void* value) const;

  std::string path_;
  Handle handle_;
  std::shared_ptr<Reader> reader_;  // of a file that another process reads
  int64_t bytes_ = 0;               // the file's size when it was opened; 0 while writing
  mutable int64_t read_ = 0;        // bytes of the data sets read whole so far
  Seal seal_ = Seal::no;
};

}  // namespace minibert::h5
