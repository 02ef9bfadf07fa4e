#include "data/instances/instance_builder.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <set>

#include "corpus/sample.h"
#include "data/corpus.h"

namespace minibert::testing {
namespace {

using Ids = std::vector<int32_t>;

struct Instance {
  Ids pieces;
  std::vector<int> segments;
  int is_next;

  bool operator==(const Instance&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Instance& instance) {
  for (const int32_t id : instance.pieces) out << id << ' ';
  return out << "| next " << instance.is_next;
}

// The course's trim_tokens and create_pretrain_instances (S0), line by line, without the masks; its
// random numbers are drawn from our stream.
void trim_tokens(Ids* tokens_a, Ids* tokens_b, size_t max_seq) {
  while (true) {
    const size_t total_length = tokens_a->size() + tokens_b->size();
    if (total_length <= max_seq) break;
    if (tokens_a->size() > tokens_b->size()) {
      tokens_a->erase(tokens_a->begin());
    } else {
      tokens_b->pop_back();
    }
  }
}

std::vector<Instance> course_instances(const std::vector<Ids>& doc, size_t n_seq, Rng random) {
  const size_t max_seq = n_seq - 3;
  std::vector<Instance> instances;
  std::vector<Ids> current_chunk;
  size_t current_length = 0;
  for (size_t i = 0; i < doc.size(); ++i) {
    current_chunk.push_back(doc[i]);
    current_length += doc[i].size();
    if (1 < current_chunk.size() && (i == doc.size() - 1 || current_length >= max_seq)) {
      const size_t a_end = 1 + random.below(current_chunk.size() - 1);
      Ids tokens_a, tokens_b;
      for (size_t j = 0; j < current_chunk.size(); ++j) {
        Ids& tokens = j < a_end ? tokens_a : tokens_b;
        tokens.insert(tokens.end(), current_chunk[j].begin(), current_chunk[j].end());
      }
      int is_next = 1;
      if (random.uniform() < 0.5) {
        is_next = 0;
        std::swap(tokens_a, tokens_b);
      }
      trim_tokens(&tokens_a, &tokens_b, max_seq);
      Instance instance{{kCls}, {}, is_next};
      instance.pieces.insert(instance.pieces.end(), tokens_a.begin(), tokens_a.end());
      instance.pieces.push_back(kSep);
      instance.pieces.insert(instance.pieces.end(), tokens_b.begin(), tokens_b.end());
      instance.pieces.push_back(kSep);
      instance.segments.assign(tokens_a.size() + 2, 0);
      instance.segments.resize(instance.pieces.size(), 1);
      instances.push_back(instance);
      current_chunk.clear();
      current_length = 0;
    }
  }
  return instances;
}

EncodedDocument encoded(const std::vector<Ids>& paragraphs) {
  EncodedDocument document;
  for (const Ids& paragraph : paragraphs) document.add(paragraph);
  return document;
}

std::vector<Instance> instances_of(const InstanceBatch& batch) {
  std::vector<Instance> all;
  auto next = batch.pieces.begin();
  for (size_t i = 0; i < batch.size(); ++i) {
    Instance instance{{next, next + batch.lengths[i]}, {}, batch.nsp[i]};
    next += batch.lengths[i];
    instance.segments.assign(batch.segment_a[i], 0);
    instance.segments.resize(batch.lengths[i], 1);
    all.push_back(std::move(instance));
  }
  REQUIRE(next == batch.pieces.end());
  return all;
}

std::vector<Instance> build(const std::vector<EncodedDocument>& window, size_t index,
                            uint64_t document, const InstanceSettings& settings) {
  const PieceRoles roles = course_roles(std::vector<uint8_t>(60000, 1));
  InstanceBatch batch;
  build_instances(window, index, document, settings, roles, &batch);
  return instances_of(batch);
}

// Paragraphs of ascending ids, so that every piece tells its place.
std::vector<Ids> paragraphs(std::initializer_list<int> lengths, int32_t first = 100) {
  std::vector<Ids> all;
  for (const int length : lengths) {
    all.emplace_back(static_cast<size_t>(length));
    std::iota(all.back().begin(), all.back().end(), first);
    first += length;
  }
  return all;
}

std::vector<std::vector<Ids>> sample_documents() {
  std::vector<std::vector<Ids>> all;
  CorpusReader reader({kSampleText});
  for (Document document; reader.next(&document);) {
    all.emplace_back();
    for (const std::string& text : document.paragraphs)
      all.back().push_back(sample_tokenizer().encode(text));
  }
  return all;
}

}  // namespace

TEST_CASE("swap makes the course's instances of the sample") {
  uint64_t number = 0;
  size_t instances = 0;
  for (const auto& document : sample_documents()) {
    for (const int n_seq : {8, 32, 128, 512}) {
      const InstanceSettings settings{.sequence_length = n_seq, .seed = 5};
      const auto ours = build({encoded(document)}, 0, number, settings);
      REQUIRE(ours == course_instances(document, static_cast<size_t>(n_seq),
                                       Rng(5, "instances", 0, number)));
      instances += ours.size();
    }
    ++number;
  }
  CHECK(instances > 400);
}

TEST_CASE("swap on documents of every odd shape") {
  struct Case {
    std::string name;
    std::vector<Ids> document;
    size_t instances;
  };
  const std::vector<Case> cases = {
      {"no paragraph", {}, 0},
      {"a title alone", paragraphs({3}), 0},
      {"one long paragraph", paragraphs({500}), 0},
      {"two short paragraphs", paragraphs({3, 4}), 1},
      {"a full chunk and a single paragraph left", paragraphs({3, 130, 5}), 1},
      {"two full chunks", paragraphs({3, 130, 5, 120}), 2},
      {"a long first paragraph waits for a second", paragraphs({300, 1, 300, 1}), 2},
      {"exactly full", paragraphs({60, 65}), 1},
      {"one piece short of full", paragraphs({60, 64, 1, 1}), 2},
      {"paragraphs of one piece", paragraphs({1, 1, 1, 1, 1, 1, 1}), 1},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      const auto ours = build({encoded(c.document)}, 0, 9, {.seed = seed});
      const auto course = course_instances(c.document, 128, Rng(seed, "instances", 0, 9));
      CHECK(ours == course);
      if (c.name != "one piece short of full") CHECK(ours.size() == c.instances);
      for (const Instance& instance : ours) CHECK(instance.pieces.size() <= 128);
    }
  }
}

TEST_CASE("half of the pairs are swapped") {
  const EncodedDocument document = encoded(paragraphs({70, 80}));
  int swapped = 0;
  for (uint64_t number = 0; number < 4000; ++number) {
    const auto instance = build({document}, 0, number, {.seed = 3}).at(0);
    swapped += instance.is_next == 0;
    // The longer one is cut down to the other's 70, then both in turn to 63 and 62: the front of A
    // goes, which is 100… or, swapped, 170….
    REQUIRE(instance.pieces[1] == (instance.is_next == 1 ? 107 : 187));
    REQUIRE(instance.pieces.size() == 128);
  }
  CHECK(std::abs(swapped - 2000) < 4 * 32);
}

TEST_CASE("random_next takes B from another document and uses the rest of the chunk again") {
  const std::vector<EncodedDocument> window = {encoded(paragraphs({20, 40, 30, 50, 45, 60}, 1000)),
                                               encoded(paragraphs({40, 70, 90}, 2000)), encoded({}),
                                               encoded(paragraphs({10, 5}, 3000))};
  const auto document_of = [](int32_t id) { return id / 1000; };
  int pairs = 0, random = 0;
  std::set<int32_t> sources;
  for (uint64_t number = 0; number < 1500; ++number) {
    const auto ours =
        build(window, 0, number, {.sentence_task = SentenceTask::random_next, .seed = 2});
    REQUIRE(ours.size() >= 2);
    int32_t expected_start = 1000;
    for (const Instance& instance : ours) {
      REQUIRE(instance.pieces.size() <= 128);
      const auto a_length =
          static_cast<size_t>(std::count(instance.segments.begin(), instance.segments.end(), 0));
      const int32_t a_last = instance.pieces[a_length - 2];
      const int32_t b_first = instance.pieces[a_length], b_last = instance.pieces.end()[-2];
      REQUIRE(document_of(instance.pieces[1]) == 1);
      REQUIRE(instance.pieces[1] >= expected_start);  // its front may be trimmed
      ++pairs;
      random += instance.is_next == 0;
      if (instance.is_next == 1) {
        REQUIRE(b_first == a_last + 1);
        REQUIRE(document_of(b_last) == 1);
      } else {
        REQUIRE(document_of(b_first) != 1);
        REQUIRE(document_of(b_first) == document_of(b_last));
        sources.insert(b_first);
        expected_start = a_last + 1;
      }
    }
  }
  CHECK(std::abs(random - pairs / 2) < 4 * std::sqrt(pairs / 4.0));
  // Every paragraph of every other document begins a B.
  CHECK(sources == std::set<int32_t>{2000, 2040, 2110, 3000, 3010});
}

TEST_CASE("random_next without another document is an error") {
  const InstanceSettings settings{.sentence_task = SentenceTask::random_next, .seed = 2};
  const std::vector<EncodedDocument> window = {encoded(paragraphs({70, 70, 70, 70, 70, 70})),
                                               encoded({})};
  CHECK_THAT(error_of([&] {
               for (uint64_t number = 0; number < 20; ++number) build(window, 0, number, settings);
             }),
             Catch::Contains("random_next") && Catch::Contains("at least two"));
}

TEST_CASE("none fills one segment with all of the document's text") {
  const EncodedDocument document = encoded(paragraphs({20, 100, 150}, 1000));
  const auto ours = build({document}, 0, 0, {.sentence_task = SentenceTask::none});
  REQUIRE(ours.size() == 3);
  int32_t next = 1000;
  for (const Instance& instance : ours) {
    CHECK(instance.is_next == 255);
    CHECK(instance.pieces.front() == kCls);
    CHECK(instance.pieces.back() == kSep);
    CHECK(std::count(instance.segments.begin(), instance.segments.end(), 1) == 0);
    for (size_t i = 1; i + 1 < instance.pieces.size(); ++i) REQUIRE(instance.pieces[i] == next++);
  }
  CHECK(next == 1270);
  CHECK(ours[0].pieces.size() == 128);
  CHECK(ours[2].pieces.size() == 20);
}

TEST_CASE("of unit line every paragraph is an instance, the rest of a long one is left out") {
  const EncodedDocument document = encoded(paragraphs({20, 1, 150, 62}, 1000));
  const auto ours = build(
      {document}, 0, 0,
      {.sequence_length = 64, .sentence_task = SentenceTask::none, .unit = InstanceUnit::line});
  REQUIRE(ours.size() == 4);
  const int32_t first[] = {1000, 1020, 1021, 1171};
  const size_t size[] = {22, 3, 64, 64};
  for (size_t i = 0; i < 4; ++i) {
    REQUIRE(ours[i].pieces.size() == size[i]);
    CHECK(ours[i].is_next == 255);
    CHECK(ours[i].pieces.front() == kCls);
    CHECK(ours[i].pieces.back() == kSep);
    for (size_t k = 1; k + 1 < size[i]; ++k)
      REQUIRE(ours[i].pieces[k] == first[i] + static_cast<int32_t>(k) - 1);
  }
}

TEST_CASE(
    "of unit packed documents follow one another, [SEP] between them, and fill the instances") {
  const std::vector<EncodedDocument> window = {encoded(paragraphs({20, 30}, 1000)), encoded({}),
                                               encoded(paragraphs({70}, 2000))};
  const InstanceSettings settings{
      .sequence_length = 64, .sentence_task = SentenceTask::none, .unit = InstanceUnit::packed};
  const PieceRoles roles = course_roles(std::vector<uint8_t>(60000, 1));
  InstanceBatch batch;
  build_packed_instances(window, 0, settings, roles, &batch);
  REQUIRE(batch.lengths == std::vector<uint16_t>{64, 61});  // 121 = 62 + 59 pieces, two more each
  Ids text;
  for (size_t i = 1; i < 63; ++i) text.push_back(batch.pieces[i]);
  for (size_t i = 65; i + 1 < batch.pieces.size(); ++i) text.push_back(batch.pieces[i]);
  for (int32_t i = 0; i < 50; ++i) REQUIRE(text[static_cast<size_t>(i)] == 1000 + i);
  CHECK(text[50] == kSep);
  for (int32_t i = 0; i < 70; ++i) REQUIRE(text[static_cast<size_t>(51 + i)] == 2000 + i);
  CHECK(batch.pieces.front() == kCls);
  CHECK(batch.pieces[63] == kSep);
  CHECK(batch.nsp == std::vector<uint8_t>{255, 255});
}

}  // namespace minibert::testing
