#include "train/process_group.h"

#include "core/error.h"
#include "core/text.h"
#include "train/workers.h"

#ifdef MINIBERT_GLOO
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

namespace minibert {

#ifndef MINIBERT_GLOO

std::unique_ptr<Workers> join_group(const GroupSettings& settings) {
  throw usage_error("WORLD_SIZE: found \"" + std::to_string(settings.size) +
                    "\", expected 1: this program is built without Gloo (on Debian: libgloo-dev, "
                    "then build again)");
}

#else

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// How often a process that waits looks after the others.
constexpr milliseconds kLook{500};
// Gloo's own limit: who is lost is found out by the beats, long before.
constexpr std::chrono::minutes kGlooTimeout{10};
// How long rank 0 waits at the end for the others to have heard of it, in seconds.
constexpr double kFarewell = 3;
// Seconds without a beat after which the broken connection is that process's.
constexpr double kSilence = 5;

double seconds_since(steady_clock::time_point then) {
  return std::chrono::duration<double>(steady_clock::now() - then).count();
}

std::string this_process() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return std::string(host) + ", process " + std::to_string(getpid());
}

// LibTorch from 2.4 on uses libuv by default, and may be built without it (Debian's is).
template <class Options>
void serve_without_libuv(Options* options) {
  if constexpr (requires { options->useLibUV; }) options->useLibUV = false;
}

// Returns the port of a socket's other end; nothing if it is no such socket.
std::optional<int> peer_port(int socket) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return std::nullopt;
  if (peer.ss_family == AF_INET) return ntohs(reinterpret_cast<sockaddr_in*>(&peer)->sin_port);
  if (peer.ss_family == AF_INET6) return ntohs(reinterpret_cast<sockaddr_in6*>(&peer)->sin6_port);
  return std::nullopt;
}

// A request to the store of a machine that is gone silently, as with a cut cable, would wait for
// the kernel's quarter of an hour. LibTorch hides its sockets, so they are searched for.
void limit_silence(int port, double seconds) {
  const int limit = std::max(1, static_cast<int>(seconds)), yes = 1;
  const unsigned milliseconds = 1000u * static_cast<unsigned>(limit);
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const int socket = std::atoi(entry.path().filename().c_str());
    if (peer_port(socket) != port) continue;
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
    // Looks after one that owes an answer, too.
    const int idle = std::max(1, limit / 2), every = std::max(1, limit / 4);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  }
}

c10::intrusive_ptr<c10d::Store> open_store(const GroupSettings& settings, bool serve) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(settings.port);
  options.isServer = serve;
  options.waitWorkers = false;
  serve_without_libuv(&options);
  options.timeout = milliseconds(static_cast<int64_t>(settings.timeout * 1000));
  const std::string place = settings.address + ":" + std::to_string(settings.port);
  try {
    const c10::intrusive_ptr<c10d::Store> store =
        c10::make_intrusive<c10d::TCPStore>(settings.address, options);
    limit_silence(static_cast<int>(settings.port), settings.timeout);
    if (settings.agent_store.empty()) return store;
    return c10::make_intrusive<c10d::PrefixStore>(settings.agent_store, store);
  } catch (const std::exception& error) {
    const std::string why = first_line(error);
    if (why.find("ddress already in use") != std::string::npos)
      throw usage_error("MASTER_PORT: found \"" + std::to_string(settings.port) +
                        "\", which another program uses, expected a free port");
    throw Error((serve ? "rank 0 cannot listen at " : "rank 0 cannot be reached at ") + place +
                " (MASTER_ADDR, MASTER_PORT): " + why);
  }
}

c10::intrusive_ptr<c10d::ProcessGroupGloo::Options> gloo_options(const GroupSettings& settings) {
  auto options = c10d::ProcessGroupGloo::Options::create(kGlooTimeout);
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  const bool local = settings.address == "localhost" || settings.address.starts_with("127.");
  if (interface != nullptr && *interface != '\0') {
    if (if_nametoindex(interface) == 0)
      throw usage_error("GLOO_SOCKET_IFNAME: found \"" + std::string(interface) +
                        "\", expected a network interface of this machine");
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(interface));
  } else if (local) {
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
  } else {
    options->devices.push_back(c10d::ProcessGroupGloo::createDefaultDevice());
  }
  return options;
}

// Says every second that this process lives, over a connection of its own, whatever else it does.
class Beats {
 public:
  explicit Beats(const GroupSettings& settings)
      : store_(open_store(settings, false)),
        thread_([this, key = "beat/" + std::to_string(settings.rank)] {
          std::unique_lock lock(mutex_);
          try {
            while (!end_) {
              store_->add(key, 1);
              wake_.wait_for(lock, std::chrono::seconds(1), [this] { return end_; });
            }
          } catch (const std::exception&) {
            // The store is gone; who waits for something finds that out.
          }
        }) {}
  ~Beats() {
    {
      std::lock_guard lock(mutex_);
      end_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  c10::intrusive_ptr<c10d::Store> store_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool end_ = false;
  std::thread thread_;
};

class ProcessGroup : public Workers {
 public:
  explicit ProcessGroup(const GroupSettings& settings);
  ~ProcessGroup() override;
  int64_t rank() const override { return settings_.rank; }
  int64_t size() const override { return settings_.size; }
  int64_t local_rank() const override { return settings_.local_rank; }
  void begin_sum(torch::Tensor values) override;
  void end_sums() override;
  void broadcast(torch::Tensor values) override;
  std::string from_first(const std::string& text) override;
  std::vector<std::string> from_all(const std::string& text) override;
  void fail(const std::string& why) noexcept override;

 private:
  std::string place() const { return settings_.address + ":" + std::to_string(settings_.port); }
  void set(const std::string& key, const std::string& text) {
    store_->set(key, std::vector<uint8_t>(text.begin(), text.end()));
  }
  std::string get(const std::string& key) {
    const std::vector<uint8_t> bytes = store_->get(key);
    return {bytes.begin(), bytes.end()};
  }
  void meet();
  void leave() noexcept;
  std::string wait_for(const std::string& key);
  void look_around(double patience);
  void wait_for(c10d::Work& work);
  [[noreturn]] void lost(const std::string& why);
  [[noreturn]] void broke(const std::string& why);
  template <class Call>
  auto with_store(Call call);
  template <class Collective>
  void begin(const torch::Tensor& values, Collective collective);

  GroupSettings settings_;
  c10::intrusive_ptr<c10d::Store> store_;
  std::optional<Beats> beats_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_;
  std::vector<c10::intrusive_ptr<c10d::Work> > works_;  // under way
  std::vector<std::string> names_;                      // "rank 1 (its machine, process 4711)"
  // The last beat of every process and when it was first seen.
  struct Seen {
    int64_t beat = -1;
    steady_clock::time_point when;
  };
  std::vector<Seen> seen_;
  steady_clock::time_point looked_{};
  int64_t said_ = 0;     // texts exchanged so far
  bool failed_ = false;  // the others know, or told it
  std::string why_lost_;
};

// Throws the error of a process that finds another one gone.
void ProcessGroup::lost(const std::string& why) {
  why_lost_ = why;
  throw Error(why);
}

template <class Call>
auto ProcessGroup::with_store(Call call) {
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    const std::string why = "the connection to " + place() + " broke: " + first_line(error);
    const std::string first = names_.empty() ? "rank 0" : names_[0];
    lost(settings_.agent_store.empty() ? first + " is lost: " + why : why);
  }
}

ProcessGroup::ProcessGroup(const GroupSettings& settings)
    : settings_(settings), seen_(static_cast<size_t>(settings.size)) {
  // LibTorch logs every attempt to connect; the exceptions hold everything that matters.
  constexpr int kFatal = 3;
#ifdef C10_USE_GLOG
  FLAGS_minloglevel = kFatal;
#else
  FLAGS_caffe2_log_level = kFatal;
#endif
  // Faults of this process alone are reported before another one waits for it.
  const auto options = gloo_options(settings);
  store_ = open_store(settings, settings.rank == 0 && settings.agent_store.empty());
  try {
    with_store([&] { meet(); });
  } catch (const std::exception&) {
    leave();
    throw;
  }
  beats_.emplace(settings);
  try {
    gloo_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store_, static_cast<int>(settings.rank),
                                                        static_cast<int>(settings.size), options);
  } catch (const std::exception& error) {  // another one has ended since
    broke(first_line(error));
  }
}

// Every process leaves its name and WORLD_SIZE, and waits for the others'.
void ProcessGroup::meet() {
  const std::string own = std::to_string(settings_.rank), size = std::to_string(settings_.size);
  const auto here = [&](int64_t rank) { return store_->check({"size/" + std::to_string(rank)}); };
  if (store_->add("here/" + own, 1) != 1)
    throw usage_error("RANK: found \"" + own + "\", which another process at " + place() +
                      " has, expected one of its own");
  set("process/" + own, this_process());
  set("size/" + own, size);
  const auto begun = steady_clock::now();
  for (int64_t rank = 0; rank < settings_.size; ++rank) {
    const std::string other = std::to_string(rank);
    while (!here(rank) && seconds_since(begun) < settings_.timeout)
      std::this_thread::sleep_for(milliseconds(20));
    if (!here(rank)) {
      std::vector<std::string> missing;
      for (int64_t i = rank; i < settings_.size; ++i)
        if (!here(i)) missing.push_back(std::to_string(i));
      throw Error("rank " + joined(missing) + " did not connect to " + place() + " within " +
                  std::to_string(static_cast<int64_t>(settings_.timeout)) + " seconds");
    }
    if (const std::string found = get("size/" + other); found != size)
      throw usage_error("WORLD_SIZE: found \"" + size + "\", and \"" + found + "\" in rank " +
                        other + ", expected the same in all");
    names_.push_back("rank " + other + " (" + get("process/" + other) + ")");
  }
}

// Called while waiting, at most every kLook. Throws if another process has failed, or has been
// silent for `patience` seconds since the first look at it.
void ProcessGroup::look_around(double patience) {
  const auto now = steady_clock::now();
  if (now - looked_ < kLook) return;
  looked_ = now;
  with_store([&] {
    if (store_->check({"failed"})) {
      failed_ = true;
      throw Error(get("failed"));
    }
    for (size_t rank = 0; rank < seen_.size(); ++rank) {
      const int64_t beat = store_->add("beat/" + std::to_string(rank), 0);
      if (seen_[rank].beat != beat)
        seen_[rank] = {beat, now};
      else if (seconds_since(seen_[rank].when) > patience)
        lost(names_[rank] + " is lost: it has been silent for " +
             std::to_string(static_cast<int64_t>(patience)) + " seconds");
    }
  });
}

std::string ProcessGroup::wait_for(const std::string& key) {
  const auto there = [&] { return with_store([&] { return store_->check({key}); }); };
  milliseconds pause{1};
  while (!there()) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, milliseconds(20));
    try {
      look_around(settings_.timeout);
    } catch (const Error&) {
      // The other process's reason, sent before it failed, comes first; each finds its own faults.
      if (!there()) throw;
    }
  }
  return with_store([&] { return get(key); });
}

template <class Collective>
void ProcessGroup::begin(const torch::Tensor& values, Collective collective) {
  if (values.numel() == 0) return;
  std::vector<torch::Tensor> tensors{values};
  try {
    works_.push_back(collective(tensors));
  } catch (const std::exception& error) {
    broke(first_line(error));
  }
}

void ProcessGroup::begin_sum(torch::Tensor values) {
  begin(values, [&](std::vector<torch::Tensor>& tensors) { return gloo_->allreduce(tensors); });
}

void ProcessGroup::end_sums() {
  for (const auto& work : works_) wait_for(*work);
  works_.clear();
}

void ProcessGroup::broadcast(torch::Tensor values) {
  begin(values, [&](std::vector<torch::Tensor>& tensors) { return gloo_->broadcast(tensors); });
  end_sums();
}

void ProcessGroup::wait_for(c10d::Work& work) {
  while (true) {
    try {
      work.wait(kLook);
      return;
    } catch (const std::exception& error) {  // of the work, or only the end of this wait
      if (work.isCompleted()) {
        if (!work.exception()) return;
        broke(first_line(error));
      }
    }
    look_around(settings_.timeout);
  }
}

// A connection broke; the beats tell which process's.
void ProcessGroup::broke(const std::string& why) {
  const double patience = std::min(settings_.timeout, kSilence);
  for (const auto begun = steady_clock::now(); seconds_since(begun) < patience + 3;) {
    std::this_thread::sleep_for(milliseconds(100));
    look_around(patience);
  }
  lost("the connection to another process broke: " + why);
}

std::string ProcessGroup::from_first(const std::string& text) {
  const std::string key = "said/" + std::to_string(said_++);
  if (settings_.rank != 0) return wait_for(key);
  with_store([&] { set(key, text); });
  return text;
}

std::vector<std::string> ProcessGroup::from_all(const std::string& text) {
  const std::string key = "said/" + std::to_string(said_++) + "/";
  with_store([&] { set(key + std::to_string(settings_.rank), text); });
  std::vector<std::string> out;
  for (int64_t rank = 0; rank < settings_.size; ++rank)
    out.push_back(wait_for(key + std::to_string(rank)));
  return out;
}

void ProcessGroup::fail(const std::string& why) noexcept {
  if (failed_) return;
  failed_ = true;
  try {
    if (!store_->check({"failed"}))
      set("failed", why == why_lost_ ? why : "rank " + std::to_string(settings_.rank) + ": " + why);
  } catch (const std::exception&) {
    // Nobody is left to hear it.
  }
}

// Rank 0 serves the store and leaves last, so that the others learn how it ended.
void ProcessGroup::leave() noexcept {
  try {
    store_->add("left", 1);
    const auto begun = steady_clock::now();
    while (settings_.rank == 0 && store_->add("left", 0) < settings_.size &&
           seconds_since(begun) < kFarewell)
      std::this_thread::sleep_for(milliseconds(20));
  } catch (const std::exception&) {
    // The store is gone.
  }
}

ProcessGroup::~ProcessGroup() {
  leave();
  // A sum that waits for a process which is silent and yet not gone would hold up the group's end.
  const auto done = [&] {
    return std::ranges::all_of(works_, [](const auto& work) { return work->isCompleted(); });
  };
  for (const auto begun = steady_clock::now(); !done() && seconds_since(begun) < kFarewell;)
    std::this_thread::sleep_for(milliseconds(20));
  if (!done()) gloo_.release();
}

}  // namespace

std::unique_ptr<Workers> join_group(const GroupSettings& settings) {
  return std::make_unique<ProcessGroup>(settings);
}

#endif

}  // namespace minibert
