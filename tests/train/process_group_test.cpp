// Processes that train together, each a thread here: they find each other, add up, and say what is
// wrong where one is missing, in the way, or gone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "train/processes.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using namespace testing;
using Variables = std::map<std::string, std::string>;

const Variables kGood = {{"WORLD_SIZE", "2"},
                         {"RANK", "1"},
                         {"LOCAL_RANK", "0"},
                         {"MASTER_ADDR", "node-3"},
                         {"MASTER_PORT", "29500"}};

std::optional<GroupSettings> settings_of(const Variables& variables) {
  return group_settings([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("without WORLD_SIZE, or with one process, there is no group") {
  CHECK_FALSE(settings_of({}));
  CHECK_FALSE(settings_of({{"WORLD_SIZE", "1"}, {"RANK", "nonsense"}}));
  CHECK_FALSE(settings_of({{"RANK", "0"}}));
  CHECK_FALSE(settings_of({{"RANK", ""}}));
  const auto settings = settings_of(kGood);
  REQUIRE(settings);
  CHECK(settings->rank == 1);
  CHECK(settings->size == 2);
  CHECK(settings->address == "node-3");
  CHECK(settings->port == 29500);
  CHECK(settings->agent_store.empty());
}

TEST_CASE("a variable that is missing or wrong is named, with what was expected") {
  struct Case {
    const char *name, *value, *expected;
  };
  const Case cases[] = {
      {"WORLD_SIZE", "two", "WORLD_SIZE: found \"two\", expected a whole number from 1 to 4096"},
      {"WORLD_SIZE", "", "WORLD_SIZE: is not set"},
      {"WORLD_SIZE", nullptr,
       "WORLD_SIZE: is not set, expected the number of processes (RANK is 1)"},
      {"RANK", nullptr, "RANK: is not set, expected a whole number from 0 to 1 (WORLD_SIZE is 2)"},
      {"RANK", "2", "RANK: found \"2\", expected a whole number from 0 to 1"},
      {"RANK", "-1", "RANK: found \"-1\""},
      {"RANK", "1x", "RANK: found \"1x\""},
      {"LOCAL_RANK", nullptr, "LOCAL_RANK: is not set"},
      {"MASTER_ADDR", nullptr, "MASTER_ADDR: is not set, expected the machine of rank 0"},
      {"MASTER_PORT", nullptr, "MASTER_PORT: is not set"},
      {"MASTER_PORT", "70000",
       "MASTER_PORT: found \"70000\", expected a whole number from 1 to 65535"},
      {"MINIBERT_TIMEOUT", "0", "MINIBERT_TIMEOUT: found \"0\""},
  };
  for (const Case& one : cases) {
    INFO(one.expected);
    Variables variables = kGood;
    variables.erase(one.name);
    if (one.value != nullptr) variables[one.name] = one.value;
    try {
      settings_of(variables);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      CHECK_THAT(error.what(), StartsWith(one.expected));
    }
  }
}

TEST_CASE("processes add up, hear the first and hear each other", "[gloo]") {
  if (!has_gloo()) return;
  const int64_t port = free_port();
  const auto ends =
      together({local(0, 3, port), local(1, 3, port), local(2, 3, port)}, [](Workers& workers) {
        const auto rank = static_cast<float>(workers.rank());
        for (int round = 0; round < 3; ++round) {
          torch::Tensor values = torch::full({1000}, 0.1F * (rank + 1));
          workers.sum(values);
          if (!values.allclose(torch::full({1000}, 0.6F))) throw Error("the sum is wrong");
          if (workers.from_first(std::to_string(round) + std::to_string(workers.rank())) !=
              std::to_string(round) + "0")
            throw Error("the first said something else");
          torch::Tensor firsts = torch::full({5}, rank + static_cast<float>(round));
          workers.broadcast(firsts);
          if (!firsts.eq(round).all().item<bool>()) throw Error("the first has something else");
        }
        if (workers.from_all("of " + std::to_string(workers.rank())) !=
            std::vector<std::string>{"of 0", "of 1", "of 2"})
          throw Error("the others said something else");
      });
  CHECK(ends == std::vector<std::string>(3));
}

TEST_CASE("a process that fails says why to those who wait for it", "[gloo]") {
  if (!has_gloo()) return;
  const int64_t port = free_port();
  const bool in_a_sum = GENERATE(true, false);
  const auto ends = together({local(0, 2, port), local(1, 2, port)}, [&](Workers& workers) {
    if (workers.rank() == 1) throw Error("the disk is full");
    torch::Tensor values = torch::ones({10});
    if (in_a_sum)
      workers.sum(values);
    else
      workers.from_all("");
  });
  CHECK(ends[0] == "rank 1: the disk is full");
  CHECK(ends[1] == "the disk is full");
}

TEST_CASE("what a process said before it failed is heard by those who wait for it", "[gloo]") {
  if (!has_gloo()) return;
  // Both come while the other sleeps, before it looks around: that is every half second.
  for (int after = 490; after < 560; after += 8) {
    const int64_t port = free_port();
    const auto ends = together({local(0, 2, port), local(1, 2, port)}, [&](Workers& workers) {
      if (workers.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(after));
      throw Error("found " + workers.from_all(std::to_string(workers.rank()))[1]);
    });
    CHECK(ends == std::vector<std::string>{"found 1", "found 1"});
  }
}

TEST_CASE("a process that does not come is named", "[gloo]") {
  if (!has_gloo()) return;
  const int64_t port = free_port();
  const auto ends = together({local(0, 3, port, 5), local(2, 3, port, 4)}, [](Workers&) {});
  for (const std::string& end : ends)
    CHECK_THAT(end, StartsWith("rank 1 did not connect to 127.0.0.1:"));
  CHECK_THAT(together({local(1, 2, port, 1)}, [](Workers&) {})[0],
             StartsWith("rank 0 cannot be reached at 127.0.0.1:"));
}

TEST_CASE("a port in use, a rank taken and another number of processes are refused", "[gloo]") {
  if (!has_gloo()) return;
  const Listener other;
  CHECK_THAT(together({local(0, 2, other.port, 1)}, [](Workers&) {})[0],
             Contains("which another program uses, expected a free port"));
  int64_t port = free_port();
  std::string taken;
  // The third comes while the first two are there.
  std::vector<std::string> ends =
      together({local(0, 2, port), local(1, 2, port)}, [&](Workers& workers) {
        if (workers.rank() == 0) taken = together({local(1, 2, port)}, [](Workers&) {})[0];
      });
  CHECK(ends == std::vector<std::string>(2));
  CHECK_THAT(taken, StartsWith("RANK: found \"1\", which another process at 127.0.0.1:"));
  port = free_port();
  ends = together({local(0, 2, port, 9), local(1, 3, port, 9)}, [](Workers&) {});
  CHECK_THAT(ends[1], StartsWith("WORLD_SIZE: found \"3\", and \"2\" in rank 0"));
}

}  // namespace minibert
