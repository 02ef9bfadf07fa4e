// Reads and writes HDF5 files: groups, attributes, whole datasets and extendible datasets that grow
// row by row. A process-wide mutex lets one thread at a time into HDF5; each object still belongs
// to one thread at a time. A dataset that is written whole gets an attribute "sha256" (kSum) over
// its stored bytes, and reading it whole checks the sum: HDF5's own checksums cover only metadata.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace minibert::h5 {

inline constexpr char kSum[] = "sha256";

// Memory ran out; the file is not at fault.
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
  // Gives up ownership of the identifier.
  int64_t release() { return std::exchange(id_, -1); }

 private:
  int64_t id_ = -1;
  Close close_ = nullptr;
};

// T is uint8_t, uint16_t, int32_t, int64_t, float or double, stored as little-endian. Reading a
// dataset of another type throws Error.

struct Storage {
  int gzip = 0;  // 0 (none) to 9, with the byte shuffle filter and chunks of about 256 KiB
};

// A dataset as rows (its first dimension). Must not outlive its File.
class Dataset {
 public:
  // The number of values in one row: the product of the other dimensions; 1 for a 1-D dataset.
  int64_t columns() const { return columns_; }
  int64_t rows() const { return shape_.empty() ? 1 : shape_[0]; }
  const std::vector<int64_t>& shape() const { return shape_; }

  // Appends `rows` rows of columns() values each to an extendible dataset.
  template <class T>
  void append(const T* values, int64_t rows);
  // Reads rows [first, first + rows) into `out`, which holds rows * columns() values.
  template <class T>
  void read(int64_t first, int64_t rows, T* out) const;
  template <class T>
  std::vector<T> read(int64_t first, int64_t rows) const;

 private:
  friend class File;
  Dataset(std::string where, Handle handle, std::vector<int64_t> shape);
  Handle handle_;
  std::shared_ptr<Reader> reader_;  // the process that reads the dataset as this number
  int64_t number_ = 0;
  std::string where_;  // "file: /path", for messages
  std::vector<int64_t> shape_;
  int64_t columns_ = 1;
};

// A sealed file begins with a user block of 512 bytes (HDF5's place for other data), which holds
// the CRC-32 of everything after it; opening the file checks it. Text attributes of a sealed file
// have variable length, which h5py reads as `str`. Other files have fixed-length text attributes,
// because HDF5 keeps variable ones in heaps without a checksum and crashes on a damaged heap.
enum class Seal { no, yes };

// Every call throws Error "file: object: what failed (HDF5's own message)".
class File {
 public:
  // Creates or truncates a file. Groups keep the order in which their members were written.
  static File create(const std::string& path, Seal seal = Seal::no);
  // Opens a file for reading. Throws Error if it is missing, a folder, not HDF5, truncated or has a
  // broken seal. Never reads outside the file: soft and external links, external storage and filter
  // plug-ins are errors. libhdf5 parses the file in a process of its own, which may only read this
  // file, as far as the kernel can enforce that; a crash there is an error here.
  static File open(const std::string& path);
  // For fuzzers and debuggers, which have to see libhdf5: with false, open() reads in this process.
  static void read_apart(bool yes);
  // Returns the reader's confinement, such as "a process of its own, Landlock, seccomp".
  std::string confinement() const;
  // True if an opened file has a seal; opening it checked the seal.
  bool is_sealed() const { return seal_ == Seal::yes; }

  const std::string& path() const { return path_; }
  // Closes the file and its datasets, reports errors (a full disk at the latest here) and writes
  // the seal. The destructor ignores errors and leaves a sealed file without its seal.
  void close();
  // Hands all data to the operating system, so that the file survives the process.
  void flush();

  bool exists(const std::string& object) const;
  bool is_group(const std::string& object) const;
  // True for a dataset of strings, fixed-length or not.
  bool is_text(const std::string& dataset) const;
  // Returns a group's names in the order written. Throws Error beyond 16 nested groups.
  std::vector<std::string> children(const std::string& group) const;
  // Creates the group and its parents unless they exist. Writing a dataset creates its parents.
  void make_group(const std::string& group);

  void set_attribute(const std::string& object, const std::string& name, const std::string& value);
  void set_attribute(const std::string& object, const std::string& name, int64_t value);
  void set_attribute(const std::string& object, const std::string& name, double value);
  bool has_attribute(const std::string& object, const std::string& name) const;
  std::vector<std::string> attributes(const std::string& object) const;
  std::string string_attribute(const std::string& object, const std::string& name) const;
  // Reads a one-dimensional list of strings, fixed-length or not (other programs write both).
  std::vector<std::string> strings_attribute(const std::string& object,
                                             const std::string& name) const;
  int64_t int_attribute(const std::string& object, const std::string& name) const;
  double double_attribute(const std::string& object, const std::string& name) const;

  // Both handle a whole dataset at once; an empty shape is a scalar.
  template <class T>
  void write(const std::string& dataset, const std::vector<int64_t>& shape, const T* values,
             const Storage& storage = {});
  template <class T>
  std::vector<T> read(const std::string& dataset, std::vector<int64_t>* shape = nullptr) const;

  // Writes one fixed-length UTF-8 string; trailing NULs are lost.
  void write_text(const std::string& dataset, const std::string& text);
  std::string read_text(const std::string& dataset) const;
  // Writes a column of UTF-8 strings, all padded to the longest.
  void write_texts(const std::string& dataset, const std::vector<std::string>& texts,
                   const Storage& storage = {});
  std::vector<std::string> read_texts(const std::string& dataset) const;

  // Creates an empty extendible dataset: 1-D with columns = 0, else [rows, columns].
  template <class T>
  Dataset create_rows(const std::string& dataset, int64_t columns = 0, const Storage& storage = {});
  // Opens any numeric dataset for reading by rows.
  Dataset open_rows(const std::string& dataset) const;

 private:
  friend class Reader;
  File(std::string path, Handle handle, int64_t bytes, Seal seal);
  static File open_here(const std::string& path);
  std::string where(const std::string& object) const { return path_ + ": " + object; }
  // Throws Error if a dataset of this size cannot be in a file of this size: a damaged or hostile
  // header could otherwise demand any amount of memory.
  int64_t check_size(const std::string& object, const std::vector<int64_t>& shape,
                     size_t element) const;
  // Limits the sum of all datasets read whole: many small ones could unpack to a lot.
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
  std::shared_ptr<Reader> reader_;  // only for a file that another process reads
  int64_t bytes_ = 0;               // the file's size when it was opened; 0 while writing
  mutable int64_t read_ = 0;        // bytes of the datasets read whole so far
  Seal seal_ = Seal::no;
};

// While it lives, File::open forks its processes from a copy of the program made at the start, as
// forking takes longer with more memory. They stay the program's children. While one ForkServer
// lives, others do nothing. If the system has no process left, it does nothing, either.
class ForkServer {
 public:
  ForkServer();
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

 private:
  int process_ = -1;
};

}  // namespace minibert::h5
