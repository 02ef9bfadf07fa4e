// Reads a file in a process of its own: a crash of libhdf5 on a foreign file becomes an error here.
// The process is forked when the file is opened, is confined (core/h5_confine.h), answers the
// questions of File's reading half, and ends with the Reader.
#pragma once

#include <sys/types.h>

#include <array>
#include <climits>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "core/h5_confine.h"
#include "core/h5_internal.h"

namespace minibert::h5 {

// The questions that the process answers; each is a member of File or Dataset.
enum class Question : int64_t {
  exists,
  is_group,
  is_text,
  children,
  has_attribute,
  attributes,
  string_attribute,
  strings_attribute,
  int_attribute,
  double_attribute,
  read,
  read_texts,
  open_rows,
  read_rows,
};

// Serializes values for a socket between two processes of one machine.
class Parcel {
 public:
  Parcel() = default;
  explicit Parcel(std::string bytes) : bytes_(std::move(bytes)) {}

  Parcel& put(int64_t value) { return put_bytes(&value, sizeof value); }
  Parcel& put(double value) { return put_bytes(&value, sizeof value); }
  Parcel& put(bool value) { return put(static_cast<int64_t>(value)); }
  Parcel& put(const std::string& text);
  Parcel& put(const std::vector<std::string>& texts);
  Parcel& put(const std::vector<int64_t>& values);
  // Takes the next value. Throws Error if the parcel holds less.
  template <class T>
  T get() {
    T out{};
    take(&out);
    return out;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Parcel& put_bytes(const void* bytes, size_t size);
  void take_bytes(void* out, size_t size);
  // Takes a count of items that need at least `each` bytes; throws Error if fewer bytes are left.
  size_t take_count(size_t each);
  void take(int64_t* out) { take_bytes(out, sizeof *out); }
  void take(double* out) { take_bytes(out, sizeof *out); }
  void take(bool* out) { *out = get<int64_t>() != 0; }
  void take(std::string* out);
  void take(std::vector<std::string>* out);
  void take(std::vector<int64_t>* out);

  std::string bytes_;
  size_t at_ = 0;
};

// The number of type T in a question.
template <class T>
constexpr int64_t type_number() {
  if constexpr (std::is_same_v<T, uint8_t>) return 0;
  if constexpr (std::is_same_v<T, uint16_t>) return 1;
  if constexpr (std::is_same_v<T, int32_t>) return 2;
  if constexpr (std::is_same_v<T, int64_t>) return 3;
  if constexpr (std::is_same_v<T, float>) return 4;
  if constexpr (std::is_same_v<T, double>) return 5;
}

class Incoming {
 public:
  explicit Incoming(int socket = -1) : socket_(socket) {}
  // Returns false if the other end closes before `size` bytes have come.
  bool take(void* bytes, size_t size);

 private:
  int socket_;
  std::array<char, 4096> buffer_;
  size_t begin_ = 0, end_ = 0;
};

// Holds the limits and the file of a process that reads.
struct Order {
  int64_t most_memory = 0, most_seconds = 0;
  std::array<char, PATH_MAX> path{};
};

class Reader {
 public:
  // Runs in the reading process: opens the file and answers until the other end closes.
  static void serve(int socket, const Order& order);

  // `bytes`: the file's size. Throws the errors of File::open, and Error if libhdf5 crashed.
  Reader(const std::string& path, int64_t bytes);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // All throw Error like File; "is damaged or hostile" if the process crashed.
  template <class Answer>
  Answer ask(Question question, const std::string& object, const std::string& name = {}) {
    return ask_values(Parcel().put(static_cast<int64_t>(question)).put(object).put(name))
        .template get<Answer>();
  }
  template <class T>
  std::vector<T> read(const std::string& dataset, std::vector<int64_t>* shape);
  // Returns the number of the opened dataset, and its shape.
  int64_t open_rows(const std::string& dataset, std::vector<int64_t>* shape);
  template <class T>
  void read_rows(int64_t dataset, int64_t first, int64_t rows, int64_t columns, T* out);

  const Confinement& confinement() const { return confinement_; }
  bool is_sealed() const { return sealed_; }

 private:
  // Forks. Returns false if another program has replaced the file meanwhile.
  bool start(int64_t bytes);
  void end();
  Parcel ask_values(const Parcel& question);
  // Sends a question, which must not be empty, and receives its answer. `*bulk` bytes follow it,
  // for receive_bulk().
  Parcel exchange(const Parcel& question, int64_t* bulk);
  // Does the same with the present process; throws Crashed if libhdf5 ended it.
  Parcel exchange_once(const Parcel& question, int64_t* bulk);
  // Replaces a crashed process and opens its datasets again; done once.
  void start_again();
  void receive_bulk(void* bytes, int64_t size);
  void receive(void* bytes, size_t size);
  [[noreturn]] void lost();
  [[noreturn]] void no_memory();
  [[noreturn]] void contradicts();

  std::string path_;
  int64_t bytes_ = 0;  // the file's size
  int64_t most_ = 0;   // bytes that may be read from the file
  pid_t process_ = -1;
  int socket_ = -1;
  Incoming in_;
  bool in_step_ = true;  // no answer is under way
  bool started_again_ = false;
  std::vector<std::string> rows_;  // open datasets, by number
  std::string ended_;              // how the process ended, if it has
  Confinement confinement_;
  bool sealed_ = false;
};

}  // namespace minibert::h5
