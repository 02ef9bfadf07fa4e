// One list of keys: what is read is what is written and documented.
#include "core/fields.h"

#include <catch2/catch.hpp>

#include "core/error.h"

namespace minibert {

enum class Shade { dark, light };

struct Inner {
  double rate = 0.5;
};

struct Sample {
  int count = 3;
  uint64_t limit = 0;
  int64_t taps = 0;
  bool shared = false;
  std::string kind = "a";
  Shade shade = Shade::light;
  std::vector<std::string> names;
  std::map<std::string, int64_t> times;
  Inner inner;
  int64_t width = 8, inner_width = 8;
};

template <class V>
void fields(Inner& c, V& v) {
  v("rate", c.rate, Real{0, 1}, "how much");
}

template <class V>
void fields(Sample& c, V& v) {
  v("count", c.count, Whole{1, 9}, "how many", kRequired);
  v("limit", c.limit, Whole{0}, "the most", written_where(c.limit > 0));
  v("taps", c.taps, Odd{0, 5}, "wide");
  v("shared", c.shared, "one for all");
  v("kind", c.kind, OneOf{"a", "b"}, "which");
  v("shade", c.shade, OneOf{"dark", "light"}, "how bright");
  v("names", c.names, "who", written_where(!c.names.empty()));
  v("times", c.times, Whole{1, 9}, "how often", written_where(!c.times.empty()));
  v.object("inner", c.inner, "inside");
  v("width", c.width, Whole{1, 99}, "outside");
  v.otherwise(c.inner_width, c.width, "`width`");
  v("inner_width", c.inner_width, Whole{1, 99, "width"}, "inside");
  v.note("other", "anything", "", "read elsewhere");
  v.retired("slow", false);
}

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

Sample sample_of(const json& given) {
  ConfigReader reader(given, "one.json");
  Sample sample;
  read_fields(reader, sample);
  reader.finish();
  return sample;
}

TEST_CASE("fields that are not said keep their defaults, and what is not used is not written") {
  const Sample sample = sample_of({{"count", 4}, {"width", 5}});
  CHECK(sample.count == 4);
  CHECK(sample.inner_width == 5);
  CHECK(written_fields(sample) == json{{"count", 4},
                                       {"taps", 0},
                                       {"shared", false},
                                       {"kind", "a"},
                                       {"shade", "light"},
                                       {"inner", {{"rate", 0.5}}},
                                       {"width", 5},
                                       {"inner_width", 5}});
}

TEST_CASE("fields that are written are read back") {
  const json given = {{"count", 1},          {"limit", 7},          {"taps", 3},
                      {"shared", true},      {"kind", "b"},         {"shade", "dark"},
                      {"names", {"x", "y"}}, {"times", {{"x", 2}}}, {"inner", {{"rate", 0.25}}},
                      {"width", 9},          {"inner_width", 2}};
  CHECK(written_fields(sample_of(given)) == given);
}

TEST_CASE("a wrong field is told as ConfigReader tells it") {
  CHECK_THROWS_WITH(sample_of({{"taps", 1}}),
                    "one.json: count: is missing, expected a whole number "
                    "from 1 to 9");
  const auto mistake = [](const char* key, const json& value) {
    json given = {{"count", 1}};
    given[key] = value;
    CHECK_THROWS_AS(sample_of(given), Error);
    try {
      sample_of(given);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(mistake("taps", 2) == "one.json: taps: found 2, expected an odd number or 0");
  CHECK(mistake("shade", "grey") ==
        "one.json: shade: found \"grey\", expected one of: dark, light");
  CHECK(mistake("inner", {{"rate", 2}}) ==
        "one.json: inner.rate: found 2, expected a number from 0 to 1");
  CHECK_THAT(mistake("inner", {{"rat", 0}}), Contains("inner.rat: unknown key"));
  CHECK_THAT(mistake("times", {{"x", 0}}), Contains("times.x: found 0"));
}

TEST_CASE("a key that is gone is read with what it computed, and is no key to document or write") {
  CHECK_FALSE(written_fields(sample_of({{"count", 1}, {"slow", false}})).contains("slow"));
  CHECK_THROWS_WITH(sample_of({{"count", 1}, {"slow", true}}),
                    Contains("one.json: slow: found true, expected no such key"));
  try {
    sample_of({{"count", 1}, {"colour", 1}});
    FAIL("read an unknown key");
  } catch (const Error& error) {
    CHECK_THAT(error.what(), !Contains("slow"));
  }
  CHECK(retired_fields<Sample>() == std::vector<std::string>{"slow"});
}

TEST_CASE("fields are listed with their values, defaults and meanings") {
  const std::vector<KeyText> keys = listed_fields<Sample>();
  const auto row = [&](const std::string& key) {
    for (const KeyText& one : keys)
      if (one.key == key) return one.values + " / " + one.otherwise + " / " + one.meaning;
    return std::string("none");
  };
  CHECK(row("count") == "1 to 9 /  / how many");
  CHECK(row("limit") == "0 and more / `0` / the most");
  CHECK(row("taps") == "0 or odd, 0 to 5 / `0` / wide");
  CHECK(row("shade") == "`dark`, `light` / `light` / how bright");
  CHECK(row("inner.rate") == "0.0 to 1.0 / `0.5` / how much");
  CHECK(row("inner_width") == "1 to `width` / `width` / inside");
  CHECK(row("other") == "anything /  / read elsewhere");
  CHECK(row("slow") == "none");
}

}  // namespace
}  // namespace minibert
