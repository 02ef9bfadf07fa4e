// Processes that train together, each a thread here.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "train/process_group.h"
#include "train/workers.h"

namespace minibert::testing {

// A socket that listens on a free port.
struct Listener {
  Listener() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    socklen_t size = sizeof address;
    REQUIRE(bind(socket_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(listen(socket_, 1) == 0);
    REQUIRE(getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port = ntohs(address.sin_port);
  }
  ~Listener() { close(socket_); }
  int64_t port = 0;

 private:
  int socket_;
};

inline int64_t free_port() { return Listener().port; }

inline GroupSettings local(int64_t rank, int64_t size, int64_t port, double timeout = 30) {
  GroupSettings settings;
  settings.rank = settings.local_rank = rank;
  settings.size = size;
  settings.address = "127.0.0.1";
  settings.port = port;
  settings.timeout = timeout;
  return settings;
}

// Runs `work` for each process in a thread of its own; returns each one's error line, or "".
inline std::vector<std::string> together(const std::vector<GroupSettings>& processes,
                                         const std::function<void(Workers&)>& work) {
  std::vector<std::string> ends(processes.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < processes.size(); ++i)
    threads.emplace_back([&, i] {
      try {
        const auto workers = join_group(processes[i]);
        try {
          work(*workers);
        } catch (const std::exception& error) {
          workers->fail(error.what());
          throw;
        }
      } catch (const std::exception& error) {
        ends[i] = error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  return ends;
}

inline bool has_gloo() {
  try {
    join_group(local(0, 1, free_port()));
  } catch (const Error& error) {
    WARN(error.what());
    return false;
  }
  return true;
}

// Returns `count` processes at a free port.
inline std::vector<GroupSettings> some_processes(int64_t count, double timeout = 30) {
  const int64_t port = free_port();
  std::vector<GroupSettings> out;
  for (int64_t rank = 0; rank < count; ++rank) out.push_back(local(rank, count, port, timeout));
  return out;
}

}  // namespace minibert::testing
