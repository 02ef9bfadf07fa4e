#include "data/instances/instance_file.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>

#include "core/files.h"
#include "core/h5.h"
#include "corpus/sample.h"
#include "data/instances/instances.h"

namespace minibert::testing {
namespace {

std::string make(const Scratch& folder, const InstanceSettings& settings) {
  const std::string path = folder / "instances.h5";
  create_instances({kSampleText}, sample_tokenizer(), settings, path, 1);
  return path;
}

bool same(const MaskedInstance& a, const MaskedInstance& b) {
  return a.ids == b.ids && a.segments == b.segments && a.positions == b.positions &&
         a.labels == b.labels && a.nsp == b.nsp;
}

// A small valid file, by hand; `change` spoils it.
struct Contents {
  std::string format = "minibert-instances", settings = "{}";
  int64_t version = 2;
  std::vector<uint8_t> roles = course_roles(std::vector<uint8_t>(20, 1)).table(), nsp = {1, 0};
  std::vector<uint16_t> pieces = {5, 7, 4, 8, 4, 5, 9, 4, 10, 4}, segment_a = {3, 3};
  std::vector<int64_t> offsets = {0, 5, 10}, masked_offsets = {0, 1, 2};
  std::vector<uint16_t> masked_positions = {1, 3}, masked_ids = {6, 12};
  std::string without;  // a data set that is not written
};

void write(const std::string& path, const Contents& c) {
  h5::File file = h5::File::create(path);
  const auto put = [&](const std::string& name, const auto& values) {
    if (name != c.without) file.write(name, {static_cast<int64_t>(values.size())}, values.data());
  };
  put("/piece_roles", c.roles);
  put("/pieces", c.pieces);
  put("/offsets", c.offsets);
  put("/segment_a_length", c.segment_a);
  put("/nsp", c.nsp);
  put("/masked/offsets", c.masked_offsets);
  put("/masked/positions", c.masked_positions);
  put("/masked/ids", c.masked_ids);
  file.set_attribute("/", "format", c.format);
  file.set_attribute("/", "version", c.version);
  file.set_attribute("/", "settings", c.settings);
  file.set_attribute("/", "statistics", std::string("{}"));
  file.set_attribute("/", "tokenizer_sha256", std::string("0"));
  file.close();
}

}  // namespace

TEST_CASE("dynamic masks differ from epoch to epoch and follow from seed, epoch and index") {
  const Scratch folder;
  const InstanceFile file(make(folder, {}));
  REQUIRE(file.size() > 50);
  CHECK_FALSE(file.has_static_masks());
  size_t changed = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    MaskedInstance first, again, later;
    masked_instance(file, i, {}, 7, 0, &first);
    masked_instance(file, i, {}, 7, 0, &again);
    masked_instance(file, i, {}, 7, 1, &later);
    REQUIRE(same(first, again));
    changed += first.ids != later.ids;
    REQUIRE(first.ids.size() == file.pieces(i).size());
    REQUIRE(static_cast<size_t>(std::count(first.segments.begin(), first.segments.end(), 0)) ==
            file.segment_a_length(i));
    REQUIRE(first.nsp == file.nsp(i));
    for (size_t k = 0; k < first.positions.size(); ++k)
      REQUIRE(first.labels[k] == file.pieces(i)[static_cast<size_t>(first.positions[k])]);
  }
  CHECK(changed > file.size() * 9 / 10);
}

TEST_CASE("static masks are the same in every epoch, and the stored pieces are the labels") {
  const Scratch folder;
  const InstanceFile file(make(folder, {.masking = Masking::fixed}));
  REQUIRE(file.has_static_masks());
  size_t masked = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    MaskedInstance first, later;
    masked_instance(file, i, {}, 7, 0, &first);
    masked_instance(file, i, {.probability = 0.5}, 8, 3, &later);
    REQUIRE(same(first, later));
    masked += first.positions.size();
    std::vector<int32_t> restored = first.ids;
    for (size_t k = 0; k < first.positions.size(); ++k)
      restored[static_cast<size_t>(first.positions[k])] = first.labels[k];
    REQUIRE(
        std::equal(restored.begin(), restored.end(), file.pieces(i).begin(), file.pieces(i).end()));
  }
  CHECK(masked == file.statistics()["masked"].get<size_t>());
  CHECK(masked > file.total_pieces() / 10);
}

TEST_CASE("reused output memory holds nothing of the instance before") {
  const Scratch folder;
  const InstanceFile file(make(folder, {}));
  MaskedInstance reused;
  for (size_t i = 0; i < file.size(); ++i) {
    MaskedInstance fresh;
    masked_instance(file, i, {}, 1, 0, &fresh);
    masked_instance(file, i, {}, 1, 0, &reused);
    REQUIRE(same(fresh, reused));
  }
}

TEST_CASE("a damaged, foreign or contradictory instance file is an error that names it") {
  struct Case {
    std::string name;
    std::function<void(Contents*)> change;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {"another format", [](Contents* c) { c->format = "minibert-run"; }, "not an instance file"},
      {"another version", [](Contents* c) { c->version = 1; }, "version 1, expected 2"},
      {"settings are not JSON", [](Contents* c) { c->settings = std::string("{"); },
       "settings is not JSON"},
      {"no mask among the roles", [](Contents* c) { c->roles[6] = kNoText; },
       "/piece_roles: the vocabulary has 0 pieces with the role of [MASK]"},
      {"no pieces", [](Contents* c) { c->without = "/pieces"; }, "/pieces"},
      {"an id outside the vocabulary", [](Contents* c) { c->pieces[1] = 20; }, "outside the voc"},
      {"offsets descend",
       [](Contents* c) {
         c->offsets = {0, 12, 10};
       },
       "/offsets"},
      {"offsets negative",
       [](Contents* c) {
         c->offsets = {-5, 5, 10};
       },
       "/offsets"},
      {"offsets end early",
       [](Contents* c) {
         c->offsets = {0, 5, 9};
       },
       "/offsets"},
      {"offsets end late",
       [](Contents* c) {
         c->offsets = {0, 5, 11};
       },
       "/offsets"},
      {"an offset is missing",
       [](Contents* c) {
         c->offsets = {0, 10};
       },
       "/offsets"},
      {"no offsets at all", [](Contents* c) { c->offsets = {}; }, "/offsets"},
      {"a label is missing", [](Contents* c) { c->nsp = {1}; }, "differ in length"},
      {"an unknown label", [](Contents* c) { c->nsp[1] = 7; }, "/nsp of instance 1 is 7"},
      {"segment A too long", [](Contents* c) { c->segment_a[0] = 6; }, "segment A of instance 0"},
      {"a mask behind the end", [](Contents* c) { c->masked_positions[1] = 5; },
       "masked position of instance 1"},
      {"a masked id too large", [](Contents* c) { c->masked_ids[0] = 300; }, "/masked/ids"},
      {"masks without ids", [](Contents* c) { c->masked_ids = {6}; }, "differ in length"},
      {"mask offsets end late",
       [](Contents* c) {
         c->masked_offsets = {0, 1, 9};
       },
       "/masked/offsets"},
  };
  const Scratch folder;
  const std::string path = folder / "made.h5";
  write(path, {});
  CHECK(InstanceFile(path).size() == 2);
  for (const Case& c : cases) {
    INFO(c.name);
    Contents contents;
    c.change(&contents);
    write(path, contents);
    const std::string message = error_of([&] { InstanceFile{path}; });
    CHECK_THAT(message, Catch::StartsWith(path) && Catch::Contains(c.expected));
  }
}

TEST_CASE("a file cut short, one that is no HDF5 and none at all are errors") {
  const Scratch folder;
  const std::string bytes = read_file(make(folder, {}));
  for (const std::string& text : {std::string(), std::string("고구려\n"), bytes.substr(0, 100),
                                  bytes.substr(0, bytes.size() / 2)}) {
    const auto path = text_file(folder, "bad.h5", text);
    CHECK_THAT(error_of([&] { InstanceFile{path}; }), Catch::StartsWith(path));
  }
  CHECK_THAT(error_of([&] { InstanceFile{folder / "none"}; }), Catch::StartsWith(folder / "none"));
}

}  // namespace minibert::testing
