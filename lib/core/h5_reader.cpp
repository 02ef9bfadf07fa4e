#include "core/h5_reader.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

namespace minibert::h5 {
namespace {

// Memory for reading beside the values: libhdf5's caches, and a copy on the way through the socket.
constexpr int64_t kFreeMemory = int64_t{512} << 20;
constexpr int64_t kFreeSeconds = 20;
// Exit status of a process that could not even say that it has no memory.
constexpr int kEndedForMemory = 9;

enum Status : int64_t { kAnswer, kRefusal, kNoMemory, kReplaced };

// Before every message: how much follows.
struct Head {
  int64_t status = kAnswer;
  int64_t values = 0;  // bytes of a Parcel
  int64_t bulk = 0;    // bytes of a dataset behind it
};

struct Replaced {};
struct Crashed {};

Status status_of(const std::exception& error) {
  return dynamic_cast<const MemoryError*>(&error) != nullptr ? kNoMemory : kRefusal;
}

bool send_all(int socket, const void* bytes, size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

bool send_message(int socket, const Parcel& values, int64_t status = kAnswer,
                  const void* bulk = nullptr, size_t bulk_size = 0) {
  Head head = {status, static_cast<int64_t>(values.bytes().size()),
               static_cast<int64_t>(bulk_size)};
  // In one call: a record is some hundred small messages.
  iovec parts[] = {{&head, sizeof head},
                   {const_cast<char*>(values.bytes().data()), values.bytes().size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  ssize_t sent = -1;
  while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  if (sent < static_cast<ssize_t>(sizeof head)) return false;
  const size_t left = sizeof head + values.bytes().size() - static_cast<size_t>(sent);
  return send_all(socket, values.bytes().data() + values.bytes().size() - left, left) &&
         send_all(socket, bulk, bulk_size);
}

// ---- in the process that reads ----

constexpr int kSocket = 3;

// Nothing of the parent's is left open: it would keep a lock or a pipe alive.
void keep_only(int socket) {
  const int nothing = open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
  dup2(socket, kSocket);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 4U, ~0U, 0U) == 0) return;
#endif
  const long most = sysconf(_SC_OPEN_MAX);
  for (int file = 4; file < most && file < 65536; ++file) close(file);
}

// A key that ends the parent ends this process with it, not before it.
void default_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    const bool ignored = signal == SIGINT || signal == SIGTERM || signal == SIGHUP ||
                         signal == SIGQUIT || signal == SIGTSTP;
    std::signal(signal, ignored ? SIG_IGN : SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// The number of a file that was removed is soon another's: the time of the last change tells them apart.
bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_ctim.tv_sec == b.st_ctim.tv_sec &&
         a.st_ctim.tv_nsec == b.st_ctim.tv_nsec;
}

class Server {
 public:
  Server(int socket, File file) : socket_(socket), file_(std::move(file)), in_(socket) {}

  // Answers until the other end is gone.
  void serve() {
    for (Head head; in_.take(&head, sizeof head);) {
      std::string bytes(static_cast<size_t>(head.values), '\0');
      if (!in_.take(bytes.data(), bytes.size())) return;
      Parcel question(std::move(bytes));
      try {
        if (!answer(question)) return;
      } catch (const std::bad_alloc&) {
        if (!send_message(socket_, {}, kNoMemory)) return;
      } catch (const std::exception& error) {
        if (!send_message(socket_, Parcel().put(std::string(error.what())), status_of(error)))
          return;
      }
    }
  }

 private:
  bool answer(Parcel& question) {
    const auto what = static_cast<Question>(question.get<int64_t>());
    const auto object = question.get<std::string>();
    const auto name = question.get<std::string>();
    const auto reply = [&](const auto& value) {
      return send_message(socket_, Parcel().put(value));
    };
    switch (what) {
      case Question::exists:
        return reply(file_.exists(object));
      case Question::is_group:
        return reply(file_.is_group(object));
      case Question::is_text:
        return reply(file_.is_text(object));
      case Question::children:
        return reply(file_.children(object));
      case Question::has_attribute:
        return reply(file_.has_attribute(object, name));
      case Question::attributes:
        return reply(file_.attributes(object));
      case Question::string_attribute:
        return reply(file_.string_attribute(object, name));
      case Question::strings_attribute:
        return reply(file_.strings_attribute(object, name));
      case Question::int_attribute:
        return reply(file_.int_attribute(object, name));
      case Question::double_attribute:
        return reply(file_.double_attribute(object, name));
      case Question::read_texts:
        return reply(file_.read_texts(object));
      case Question::open_rows: {
        rows_.push_back(file_.open_rows(object));
        return send_message(
            socket_,
            Parcel().put(static_cast<int64_t>(rows_.size()) - 1).put(rows_.back().shape()));
      }
      case Question::read:
      case Question::read_rows:
        return of_type(question, what == Question::read, object);
    }
    return false;
  }

  bool of_type(Parcel& question, bool whole, const std::string& object) {
    const auto type = question.get<int64_t>();
#define MINIBERT_H5_TYPE(T) \
  if (type == type_number<T>()) return whole ? send_whole<T>(object) : send_rows<T>(question);
    MINIBERT_H5_EACH_TYPE(MINIBERT_H5_TYPE)
#undef MINIBERT_H5_TYPE
    return false;
  }

  template <class T>
  bool send_whole(const std::string& object) {
    std::vector<int64_t> shape;
    const std::vector<T> values = file_.read<T>(object, &shape);
    return send_message(socket_, Parcel().put(shape), kAnswer, values.data(),
                        values.size() * sizeof(T));
  }

  template <class T>
  bool send_rows(Parcel& question) {
    const auto dataset = question.get<int64_t>();
    const auto first = question.get<int64_t>(), rows = question.get<int64_t>();
    const std::vector<T> values = rows_.at(static_cast<size_t>(dataset)).read<T>(first, rows);
    return send_message(socket_, {}, kAnswer, values.data(), values.size() * sizeof(T));
  }

  int socket_;
  File file_;
  Incoming in_;
  std::vector<Dataset> rows_;
};

}  // namespace

void Reader::serve(int socket, const Order& order) {
  const std::string path = order.path.data();
  keep_only(socket);
  struct stat asked {};
  stat(path.c_str(), &asked);
  try {
    // Only the forking thread exists here, and it held HDF5's lock.
    Guard::renew();
    const Confinement confined = confine(path, order.most_memory, order.most_seconds);
    File file = File::open_here(path);
    const Parcel hello =
        Parcel().put(confined.landlock).put(confined.seccomp).put(file.is_sealed());
    Server server(kSocket, std::move(file));
    if (send_message(kSocket, hello)) server.serve();
  } catch (const std::bad_alloc&) {
    send_message(kSocket, {}, kNoMemory);
  } catch (const std::exception& error) {
    // A run's record is replaced while it trains: the confinement names the file that was there.
    struct stat found {};
    const bool replaced = stat(path.c_str(), &found) == 0 && !is_same_file(found, asked);
    send_message(kSocket, Parcel().put(std::string(error.what())),
                 replaced ? kReplaced : status_of(error));
  }
}

// ---- in the process that asks, or in its fork server ----

namespace {

// Runs `child` in a new process. Returns the process's number, or -1 and errno.
template <class Child>
pid_t forked(const Child& child) {
  sigset_t all, before;
  sigfillset(&all);
  const auto lock = Guard::lock();  // no other thread is in HDF5 while its state is copied
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t process = fork();
  if (process == 0) {
    std::set_terminate([] { _exit(kEndedForMemory); });
    default_signals();
    try {
      child();
    } catch (...) {  // no memory even to say so
      _exit(kEndedForMemory);
    }
    _exit(0);
  }
  const int why = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = why;
  return process;
}

void end_process(pid_t process) {
  // It holds nothing that it would have to put away, and may be anywhere.
  kill(process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::mutex server_mutex;
int server_socket = -1;  // to the process of the ForkServer that lives

// Sends or receives an order together with the descriptor of the socket to serve.
bool pass(bool sends, int way, Order* order, int* socket) {
  iovec part = {order, sizeof *order};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof *socket)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof *socket);
  std::memcpy(CMSG_DATA(rights), socket, sizeof *socket);
  // Neither is interrupted: one order is under way, and its receiver handles no signals.
  const ssize_t size = sends ? sendmsg(way, &message, MSG_NOSIGNAL) : recvmsg(way, &message, 0);
  std::memcpy(socket, CMSG_DATA(rights), sizeof *socket);
  return size == sizeof *order && *socket >= 0;
}

// Makes a process for each order until the program closes its end.
void serve_orders(int socket) {
  keep_only(socket);
  Guard::renew();
  { const Guard started; }  // HDF5 is started once, not in every process
  int served = -1;
  for (Order order; pass(false, kSocket, &order, &served); close(std::exchange(served, -1))) {
    // A child of the program, which waits for it.
    const int64_t process = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (process == 0) return Reader::serve(served, order);
    send_all(kSocket, &process, sizeof process);
  }
}

// Returns the number of a process that serves the socket; -1 and errno if there is none.
pid_t process_for(Order* order, int socket) {
  const std::lock_guard lock(server_mutex);
  if (server_socket < 0) return forked([&] { Reader::serve(socket, *order); });
  int64_t process = -1;
  if (pass(true, server_socket, order, &socket))
    Incoming(server_socket).take(&process, sizeof process);
  if (process < 0) errno = EAGAIN;
  return static_cast<pid_t>(process);
}

}  // namespace

ForkServer::ForkServer() {
  const std::lock_guard lock(server_mutex);
  std::array<int, 2> ends{};
  if (server_socket >= 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return;
  process_ = forked([&] { serve_orders(ends[1]); });
  close(ends[1]);
  server_socket = ends[0];
  if (process_ < 0) close(std::exchange(server_socket, -1));
}

ForkServer::~ForkServer() {
  if (process_ < 0) return;
  const std::lock_guard lock(server_mutex);
  close(server_socket);
  server_socket = -1;
  end_process(process_);
}

Reader::Reader(const std::string& path, int64_t bytes)
    : path_(path), bytes_(bytes), most_(most_read(bytes)) {
  // Who writes without a pause replaces it in every second start.
  constexpr int kMostStarts = 50;
  try {
    for (int starts = 1; !start(bytes); ++starts)
      if (starts == kMostStarts)
        throw Error(path + ": cannot be read: another program keeps replacing it");
  } catch (const Crashed&) {
    start_again();
  }
}

bool Reader::start(int64_t bytes) {
  const std::string& path = path_;
  constexpr int64_t kCopies = 3;
  const int64_t memory =
      most_ > std::numeric_limits<int64_t>::max() / 8 ? most_ : kFreeMemory + kCopies * most_;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw system_error(path + ": cannot be read: no socket");
  socket_ = ends[0];
  in_ = Incoming(socket_);
  Order order{memory, kFreeSeconds + (bytes >> 20), {}};
  path.copy(order.path.data(), order.path.size() - 1);
  process_ = process_for(&order, ends[1]);
  const int why = errno;
  close(ends[1]);
  try {
    if (process_ < 0) throw system_error(path + ": cannot be read: no process for it", why);
    int64_t bulk = 0;
    Parcel hello = exchange_once({}, &bulk);
    confinement_.landlock = hello.get<bool>();
    confinement_.seccomp = hello.get<bool>();
    sealed_ = hello.get<bool>();
    return true;
  } catch (const Replaced&) {
    end();
    return false;
  } catch (...) {
    end();
    throw;
  }
}

Reader::~Reader() { end(); }

void Reader::end() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (process_ >= 0) end_process(process_);
  process_ = -1;
}

void Reader::no_memory() {
  throw MemoryError(path_ + ": cannot be read: there is not enough memory");
}

void Reader::lost() {
  if (process_ >= 0) {
    int status = 0;
    pid_t found = 0;
    // Its end of the socket is closed: it has ended, or is about to.
    while ((found = waitpid(process_, &status, 0)) < 0 && errno == EINTR) {
    }
    process_ = -1;
    end();
    if (found > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
      ended_ =
          "is damaged or hostile: libhdf5 was not done with it after much more time than a "
          "file of its size takes";
    } else if (found > 0 && WIFSIGNALED(status)) {
      ended_ = "is damaged or hostile: libhdf5 ended with signal " +
               std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) +
               ") while reading it";
      throw Crashed();
    } else {  // which libhdf5 does for want of memory, as this program does
      ended_ = "cannot be read: there is not enough memory";
      no_memory();
    }
  }
  throw Error(path_ + ": " + ended_);
}

void Reader::receive(void* bytes, size_t size) {
  if (!in_.take(bytes, size)) lost();
}

Parcel Reader::exchange(const Parcel& question, int64_t* bulk) {
  try {
    return exchange_once(question, bulk);
  } catch (const Crashed&) {
    if (started_again_) throw Error(path_ + ": " + ended_);
  }
  // Memory may have run out once; a hostile file crashes libhdf5 again.
  start_again();
  try {
    return exchange_once(question, bulk);
  } catch (const Crashed&) {
    throw Error(path_ + ": " + ended_);
  }
}

void Reader::start_again() {
  started_again_ = true;
  in_step_ = true;
  try {
    if (!start(bytes_)) throw Error(path_ + ": cannot be read: another program replaces it");
    for (const std::string& dataset : rows_) {
      int64_t bulk = 0;
      exchange_once(
          Parcel().put(static_cast<int64_t>(Question::open_rows)).put(dataset).put(std::string()),
          &bulk);
    }
  } catch (const Crashed&) {
    throw Error(path_ + ": " + ended_);
  }
}

Parcel Reader::exchange_once(const Parcel& question, int64_t* bulk) {
  // An answer that was not received whole, for want of memory, would be taken for the next answer.
  if (!in_step_ && process_ >= 0) {
    end();
    ended_ = "cannot be read: an answer of its reader was lost";
  }
  if (process_ < 0) lost();
  in_step_ = false;
  if (!question.bytes().empty() && !send_message(socket_, question)) lost();
  Head head;
  receive(&head, sizeof head);
  if (head.values < 0 || head.values > most_ || head.bulk < 0) contradicts();
  std::string bytes(static_cast<size_t>(head.values), '\0');
  receive(bytes.data(), bytes.size());
  in_step_ = head.bulk == 0;
  *bulk = head.bulk;
  if (head.status == kReplaced) throw Replaced();
  if (head.status == kNoMemory && bytes.empty()) no_memory();
  Parcel answer(std::move(bytes));
  if (head.status == kNoMemory) throw MemoryError(answer.get<std::string>());
  if (head.status != kAnswer) throw Error(answer.get<std::string>());
  return answer;
}

void Reader::receive_bulk(void* bytes, int64_t size) {
  try {
    receive(bytes, static_cast<size_t>(size));
  } catch (const Crashed&) {
    throw Error(path_ + ": " + ended_);
  }
  in_step_ = true;
}

Parcel Reader::ask_values(const Parcel& question) {
  int64_t bulk = 0;
  return exchange(question, &bulk);
}

template <class T>
std::vector<T> Reader::read(const std::string& dataset, std::vector<int64_t>* shape) {
  int64_t bulk = 0;
  Parcel answer = exchange(Parcel()
                               .put(static_cast<int64_t>(Question::read))
                               .put(dataset)
                               .put(std::string())
                               .put(type_number<T>()),
                           &bulk);
  const auto found = answer.get<std::vector<int64_t>>();
  int64_t size = sizeof(T);
  bool fits = true;
  for (const int64_t extent : found)
    fits = fits && extent >= 0 && !__builtin_mul_overflow(size, extent, &size);
  if (!fits || size != bulk || size > most_) contradicts();
  std::vector<T> values(static_cast<size_t>(bulk) / sizeof(T));
  receive_bulk(values.data(), bulk);
  if (shape != nullptr) *shape = found;
  return values;
}

int64_t Reader::open_rows(const std::string& dataset, std::vector<int64_t>* shape) {
  Parcel answer = ask_values(
      Parcel().put(static_cast<int64_t>(Question::open_rows)).put(dataset).put(std::string()));
  const auto number = answer.get<int64_t>();
  rows_.push_back(dataset);
  *shape = answer.get<std::vector<int64_t>>();
  return number;
}

template <class T>
void Reader::read_rows(int64_t dataset, int64_t first, int64_t rows, int64_t columns, T* out) {
  int64_t bulk = 0;
  exchange(Parcel()
               .put(static_cast<int64_t>(Question::read_rows))
               .put(std::string())
               .put(std::string())
               .put(type_number<T>())
               .put(dataset)
               .put(first)
               .put(rows),
           &bulk);
  if (bulk != rows * columns * static_cast<int64_t>(sizeof(T))) contradicts();
  receive_bulk(out, bulk);
}

void Reader::contradicts() {
  end();
  ended_ = "is damaged or hostile: its reader contradicts itself";
  throw Error(path_ + ": " + ended_);
}

#define MINIBERT_H5_TYPE(T)                                                        \
  template std::vector<T> Reader::read(const std::string&, std::vector<int64_t>*); \
  template void Reader::read_rows(int64_t, int64_t, int64_t, int64_t, T*);
MINIBERT_H5_EACH_TYPE(MINIBERT_H5_TYPE)
#undef MINIBERT_H5_TYPE

// ---- messages ----

bool Incoming::take(void* bytes, size_t size) {
  char* at = static_cast<char*>(bytes);
  const auto more = [&](void* to, size_t most) {
    ssize_t received = -1;
    while ((received = recv(socket_, to, most, 0)) < 0 && errno == EINTR) {
    }
    return received;
  };
  while (size > 0) {
    if (begin_ == end_ && size >= buffer_.size()) {
      const ssize_t received = more(at, size);
      if (received <= 0) return false;
      at += received;
      size -= static_cast<size_t>(received);
      continue;
    }
    if (begin_ == end_) {
      const ssize_t received = more(buffer_.data(), buffer_.size());
      if (received <= 0) return false;
      begin_ = 0;
      end_ = static_cast<size_t>(received);
    }
    const size_t part = std::min(size, end_ - begin_);
    std::memcpy(at, buffer_.data() + begin_, part);
    begin_ += part;
    at += part;
    size -= part;
  }
  return true;
}

Parcel& Parcel::put_bytes(const void* bytes, size_t size) {
  bytes_.append(static_cast<const char*>(bytes), size);
  return *this;
}

Parcel& Parcel::put(const std::string& text) {
  return put(static_cast<int64_t>(text.size())).put_bytes(text.data(), text.size());
}

Parcel& Parcel::put(const std::vector<std::string>& texts) {
  put(static_cast<int64_t>(texts.size()));
  for (const std::string& text : texts) put(text);
  return *this;
}

Parcel& Parcel::put(const std::vector<int64_t>& values) {
  return put(static_cast<int64_t>(values.size()))
      .put_bytes(values.data(), values.size() * sizeof(int64_t));
}

void Parcel::take_bytes(void* out, size_t size) {
  if (size > bytes_.size() - at_)
    throw Error("an answer of the process that reads a file is cut off");
  std::memcpy(out, bytes_.data() + at_, size);
  at_ += size;
}

size_t Parcel::take_count(size_t each) {
  const auto count = get<int64_t>();
  if (count < 0 || static_cast<uint64_t>(count) > (bytes_.size() - at_) / each)
    throw Error("an answer of the process that reads a file is cut off");
  return static_cast<size_t>(count);
}

void Parcel::take(std::string* out) {
  out->resize(take_count(1));
  take_bytes(out->data(), out->size());
}

void Parcel::take(std::vector<std::string>* out) {
  out->resize(take_count(sizeof(int64_t)));
  for (std::string& text : *out) take(&text);
}

void Parcel::take(std::vector<int64_t>* out) {
  out->resize(take_count(sizeof(int64_t)));
  take_bytes(out->data(), out->size() * sizeof(int64_t));
}

}  // namespace minibert::h5
