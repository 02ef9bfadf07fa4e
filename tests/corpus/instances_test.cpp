#include "data/instances/instances.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <numeric>
#include <set>

#include "core/files.h"
#include "corpus/sample.h"
#include "data/corpus.h"
#include "data/text_overlap.h"
#include "support/real_data.h"

namespace minibert::testing {
namespace {

struct Made {
  InstanceStatistics statistics;
  std::string bytes;
};

Made make(const Scratch& folder, const std::string& text, const InstanceSettings& settings,
          int threads) {
  const std::string path = folder / "made.h5";
  Made made;
  made.statistics = create_instances({text}, sample_tokenizer(), settings, path, threads);
  made.bytes = read_file(path);
  return made;
}

}  // namespace

TEST_CASE("documents that make no pair are counted, and told where they are many") {
  const Scratch folder;
  const std::string two = "제목이다\n서울은 한국의 수도이다.\n\n", one = "혼자 선 문장이다.\n\n";
  std::string text = two;
  for (int i = 0; i < 9; ++i) text += one;
  const std::string path = text_file(folder, "t.txt", text);
  InstanceStatistics made = create_instances({path}, sample_tokenizer(), {}, folder / "made.h5", 1);
  CHECK(made.unused_documents == 9);
  CHECK(made.unused_paragraphs == 9);
  CHECK_THAT(unused_text(InstanceFile(folder / "made.h5").statistics()),
             Catch::StartsWith("9 of 10 documents have one paragraph") &&
                 Catch::Contains("2 of 11 paragraphs are used"));
  made = create_instances({path}, sample_tokenizer(), {.sentence_task = SentenceTask::none},
                          folder / "none.h5", 1);
  CHECK(made.unused_documents == 0);
  CHECK(unused_text(to_json(made)).empty());
}

TEST_CASE("the file is the same, byte for byte, for any number of threads") {
  const Scratch folder;
  const std::string text = repeated_sample(folder, 25);  // seven units of work
  struct Case {
    std::string name;
    InstanceSettings settings;
  };
  const std::vector<Case> cases = {
      {"dynamic swap", {}},
      {"static swap", {.masking = Masking::fixed, .seed = 3}},
      {"random_next", {.sentence_task = SentenceTask::random_next}},
      {"none, short", {.sequence_length = 32, .sentence_task = SentenceTask::none}},
      {"a limit inside a unit", {.masking = Masking::fixed, .limit = 1234}},
      {"two passes", {.passes = 2}},
      {"packed", {.sentence_task = SentenceTask::none, .unit = InstanceUnit::packed}},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    const Made one = make(folder, text, c.settings, 1);
    REQUIRE(one.statistics.instances > 1000);
    for (const int threads : {2, 4}) {
      const Made several = make(folder, text, c.settings, threads);
      CHECK(several.bytes == one.bytes);
      CHECK(to_json(several.statistics) == to_json(one.statistics));
    }
  }
}

TEST_CASE("another seed makes other instances of the same text") {
  const Scratch folder;
  const std::string a = folder / "a.h5", b = folder / "b.h5";
  create_instances({kSampleText}, sample_tokenizer(), {.seed = 1}, a, 1);
  create_instances({kSampleText}, sample_tokenizer(), {.seed = 2}, b, 1);
  const InstanceFile first(a), second(b);
  REQUIRE(first.size() == second.size());
  size_t different = 0;
  for (size_t i = 0; i < first.size(); ++i)
    different += !std::equal(first.pieces(i).begin(), first.pieces(i).end(),
                             second.pieces(i).begin(), second.pieces(i).end());
  CHECK(different > first.size() / 2);
}

TEST_CASE("a limit of text reads the same documents, whatever is made of them") {
  const Scratch folder;
  const std::string text = repeated_sample(folder, 10), path = folder / "some.h5";
  const auto made = [&](InstanceSettings settings) {
    settings.text_limit = 100000;
    return create_instances({text}, sample_tokenizer(), settings, path, 2);
  };
  const InstanceStatistics pairs = made({});
  CorpusReader reader({text});
  for (Document document; reader.counts().bytes < 100000;) REQUIRE(reader.next(&document));
  CHECK(pairs.documents == reader.counts().documents);
  CHECK(made({.sentence_task = SentenceTask::none}).documents == pairs.documents);
  CHECK(made({.sequence_length = 64,
              .sentence_task = SentenceTask::none,
              .unit = InstanceUnit::packed})
            .documents == pairs.documents);
  CHECK(made({.passes = 2}).documents == 2 * pairs.documents);
  CHECK(InstanceFile(path).settings().at("text_limit") == 100000);
}

TEST_CASE("a document of one paragraph is an instance of one segment where that is asked for") {
  const Scratch folder;
  const std::string text = folder / "mixed.txt", path = folder / "mixed.h5";
  write_file_atomically(
      text, "오늘은 비가 온다.\n\n제목\n첫 문단이다.\n둘째 문단이다.\n\n내일은 맑다.\n");
  create_instances({text}, sample_tokenizer(), {}, path, 1);
  CHECK(InstanceFile(path).size() == 1);
  create_instances({text}, sample_tokenizer(), {.lone_paragraphs = true}, path, 1);
  const InstanceFile file(path);
  REQUIRE(file.size() == 3);
  CHECK(file.nsp(0) == kNoSentenceTask);
  CHECK(file.nsp(1) != kNoSentenceTask);
  CHECK(file.nsp(2) == kNoSentenceTask);
  CHECK(file.segment_a_length(0) == file.pieces(0).size());
}

TEST_CASE("a limit takes the first instances in corpus order") {
  const Scratch folder;
  const std::string all_path = folder / "all.h5", some_path = folder / "some.h5";
  create_instances({kSampleText}, sample_tokenizer(), {}, all_path, 2);
  const auto statistics =
      create_instances({kSampleText}, sample_tokenizer(), {.limit = 20}, some_path, 2);
  const InstanceFile all(all_path), some(some_path);
  CHECK(statistics.instances == 20);
  REQUIRE(some.size() == 20);
  REQUIRE(all.size() > 20);
  for (size_t i = 0; i < 20; ++i)
    CHECK(std::equal(all.pieces(i).begin(), all.pieces(i).end(), some.pieces(i).begin(),
                     some.pieces(i).end()));
}

TEST_CASE("a second pass adds as many instances, cut anew") {
  const Scratch folder;
  const std::string once_path = folder / "once.h5", twice_path = folder / "twice.h5";
  create_instances({kSampleText}, sample_tokenizer(), {}, once_path, 1);
  create_instances({kSampleText}, sample_tokenizer(), {.passes = 2}, twice_path, 1);
  const InstanceFile once(once_path), twice(twice_path);
  REQUIRE(twice.size() == 2 * once.size());
  size_t new_ones = 0;
  for (size_t i = 0; i < once.size(); ++i) {
    const auto first = once.pieces(i), kept = twice.pieces(i);
    const auto second = twice.pieces(once.size() + i);
    REQUIRE(std::equal(first.begin(), first.end(), kept.begin(), kept.end()));
    new_ones += !std::equal(first.begin(), first.end(), second.begin(), second.end());
  }
  CHECK(new_ones > once.size() / 2);
}

TEST_CASE("statistics are those of the file, and are recorded in it") {
  const Scratch folder;
  const std::string path = folder / "made.h5";
  const InstanceSettings settings{.masking = Masking::fixed};
  const auto statistics = create_instances({kSampleText}, sample_tokenizer(), settings, path, 2);
  const InstanceFile file(path);
  CorpusReader reader({kSampleText});
  for (Document document; reader.next(&document);) {
  }
  CHECK(statistics.documents == reader.counts().documents);
  CHECK(statistics.paragraphs == reader.counts().paragraphs);
  CHECK(statistics.instances == file.size());
  CHECK(statistics.tokens == file.total_pieces());
  CHECK(statistics.longest == file.longest());
  size_t masked = 0, in_order = 0;
  std::vector<uint64_t> histogram(8);
  for (size_t i = 0; i < file.size(); ++i) {
    masked += file.masked_positions(i).size();
    in_order += file.nsp(i) == 1;
    ++histogram[(file.pieces(i).size() - 1) / 16];
  }
  CHECK(statistics.masked == masked);
  CHECK(statistics.in_order == in_order);
  CHECK(statistics.length_histogram == histogram);
  CHECK(statistics.mask_rate() > 0.12);
  CHECK(statistics.mask_rate() < 0.15);
  CHECK(file.statistics() == to_json(statistics));
  CHECK(file.settings() == to_json(settings));
  CHECK(file.tokenizer_sha256() == sample_tokenizer().sha256());
  CHECK(file.vocabulary() == sample_tokenizer().size());
  CHECK(file.roles().table() == PieceRoles(sample_tokenizer()).table());
}

TEST_CASE("an instance is text of one document that decodes to it") {
  const Scratch folder;
  const std::string path = folder / "made.h5";
  create_instances({kSampleText}, sample_tokenizer(), {.sequence_length = 64}, path, 1);
  const InstanceFile file(path);
  CorpusReader reader({kSampleText});
  std::vector<std::string> documents;
  for (Document document; reader.next(&document);) {
    documents.emplace_back();
    for (const std::string& paragraph : document.paragraphs)
      for (const int32_t id : sample_tokenizer().encode(paragraph))
        documents.back() += sample_tokenizer().piece(id);
  }
  size_t at = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    const auto pieces = file.pieces(i);
    const size_t a = file.segment_a_length(i);
    REQUIRE(pieces.size() <= 64);
    REQUIRE(pieces.front() == kCls);
    REQUIRE(pieces[a - 1] == kSep);
    REQUIRE(pieces.back() == kSep);
    const auto text = [&](size_t begin, size_t end) {
      std::string joined;
      for (size_t k = begin; k < end; ++k) joined += sample_tokenizer().piece(pieces[k]);
      return joined;
    };
    const std::string first = text(1, a - 1), second = text(a, pieces.size() - 1);
    const auto holds = [&](const std::string& document) {
      return document.find(first) != std::string::npos &&
             document.find(second) != std::string::npos;
    };
    while (at < documents.size() && !holds(documents[at])) ++at;  // in corpus order
    REQUIRE(at < documents.size());
  }
}

TEST_CASE("settings survive JSON, and bad ones name their key") {
  const InstanceSettings settings{.sequence_length = 64,
                                  .sentence_task = SentenceTask::random_next,
                                  .masking = Masking::fixed,
                                  .mask = {.probability = 0.2,
                                           .whole_words = false,
                                           .replacement = MaskReplacement::mask,
                                           .at_least_one = true},
                                  .passes = 3,
                                  .seed = 9,
                                  .limit = 10,
                                  .lone_paragraphs = true};
  const auto read = [](const nlohmann::json& json) {
    ConfigReader reader(json, "test.json");
    const InstanceSettings out = read_instance_settings(reader);
    reader.finish();
    return out;
  };
  CHECK(read(to_json(settings)) == settings);
  CHECK(read(nlohmann::json::object()) == InstanceSettings());
  // A key of the first records, which says by now what is so in any case.
  CHECK(read({{"skip_bad_lines", false}}) == InstanceSettings());
  struct Case {
    nlohmann::json json;
    std::string key;
  };
  for (const Case& c :
       {Case{{{"sequence_length", 7}}, "sequence_length"},
        Case{{{"sequence_length", 513}}, "sequence_length"},
        Case{{{"sentence_task", "nsp"}}, "sentence_task"}, Case{{{"masking", "none"}}, "masking"},
        Case{{{"mask_probability", 1.5}}, "mask_probability"}, Case{{{"passes", 0}}, "passes"},
        Case{{{"limit", -1}}, "limit"},
        Case{{{"skip_bad_lines", true}}, "skip_bad_lines: found true, expected no such key"},
        Case{{{"seqence_length", 64}}, "seqence_length"}}) {
    INFO(c.json.dump());
    CHECK_THAT(error_of([&] { read(c.json); }), Catch::Contains(c.key));
  }
}

TEST_CASE("text that makes no instance, or cannot be read, leaves no file") {
  const Scratch folder;
  struct Case {
    std::string name, text, expected;
    InstanceSettings settings;
  };
  const std::vector<Case> cases = {
      {"empty", "", "no instance can be made", {}},
      {"titles alone", "고구려\n\n백제\n\n신라\n", "no instance can be made", {}},
      {"not UTF-8", "고구려\n\xff\n", ":2: not valid UTF-8", {}},
      {"a single document",
       "고구려\n주몽이 세웠다.\n산이 많았다.\n땅이 넓었다.\n들이 좁았다.\n나라가 컸다.\n",
       "random_next",
       {.sequence_length = 8, .sentence_task = SentenceTask::random_next}},
  };
  for (const Case& c : cases) {
    for (const int threads : {1, 3}) {
      INFO(c.name << ", " << threads << " threads");
      const auto text = text_file(folder, "t.txt", c.text);
      const std::string message = error_of([&] {
        create_instances({text}, sample_tokenizer(), c.settings, folder / "out.h5", threads);
      });
      CHECK_THAT(message, Catch::Contains(c.expected));
      CHECK_FALSE(std::filesystem::exists(folder / "out.h5"));
      CHECK_FALSE(std::filesystem::exists(folder / "out.h5.tmp"));
    }
  }
}

TEST_CASE("the cache makes a file once, and another one when anything changes") {
  const Scratch folder;
  const std::string cache = folder / "cache";
  const auto text = text_file(folder, "t.txt", read_file(kSampleText));
  const auto path = [&](const InstanceSettings& settings) {
    return cached_instances({text}, sample_tokenizer(), settings, cache);
  };
  const std::string first = path({});
  const auto written = std::filesystem::last_write_time(first);
  CHECK(path({}) == first);
  CHECK(std::filesystem::last_write_time(first) == written);
  CHECK(path({.seed = 2}) != first);
  CHECK(path({.passes = 2}) != first);
  CHECK(path({.part = ArticlePart::first_half}) != first);
  TextOverlap overlap;
  overlap.add(read_lines(kSampleText)[1]);
  overlap.finish();
  const std::string cleaned = cached_instances({text}, sample_tokenizer(), {}, cache, 1, &overlap);
  CHECK(cleaned != first);
  CHECK(InstanceFile(cleaned).statistics().at("excluded_paragraphs") > 0);
  text_file(folder, "t.txt", read_file(kSampleText) + "\n덧붙인 글\n한 줄\n두 줄\n");
  const std::string changed = path({});
  CHECK(changed != first);
  CHECK(InstanceFile(changed).size() == InstanceFile(first).size() + 1);
  const auto other =
      Tokenizer::from_bytes(train_tokenizer({kSampleText}, {.vocab_size = 1500}, true));
  CHECK(cached_instances({text}, other, {}, cache) != changed);
  for (const auto& entry : std::filesystem::directory_iterator(cache))
    CHECK(entry.path().extension() == ".h5");
}

TEST_CASE("what a killed program left in the cache goes when the next file is made there") {
  const Scratch folder;
  namespace fs = std::filesystem;
  const std::string cache = folder / "cache",
                    text = text_file(folder, "t.txt", read_file(kSampleText));
  fs::create_directory(cache);
  const auto left = [&](const std::string& name, std::chrono::hours age) {
    const std::string path = text_file(folder, "cache/" + name, "half");
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
    return path;
  };
  using std::chrono::hours;
  // Beyond the largest process number; this test's own is alive.
  const std::string dead = "4194400", alive = std::to_string(::getpid());
  const std::string gone[] = {left("0a.h5." + dead + ".tmp", hours(2)),
                              left("0b.model." + dead + ".tmp", hours(2))};
  const std::string kept[] = {left("0a.h5." + alive + ".tmp", hours(2)),
                              left("0c.h5." + dead + ".tmp", hours(0)), left("0d.h5", hours(2)),
                              left("0d.h5.tmp", hours(2)), left("notes.txt", hours(2))};
  cached_instances({text}, sample_tokenizer(), {}, cache);
  for (const std::string& path : gone) CHECK_FALSE(fs::exists(path));
  for (const std::string& path : kept) CHECK(fs::exists(path));
}

TEST_CASE("no document of the real training text is in the test text") {
  if (!has_real_data({"kowiki/kowiki-train.txt.zst", "kowiki/kowiki-dev.txt.zst"})) return;
  const std::string data = data_folder();
  const auto titles = [&](const std::string& file) {
    std::multiset<std::string> all;
    CorpusReader reader({data + "/kowiki/" + file});
    for (Document document; reader.next(&document);) all.insert(document.paragraphs[0]);
    return all;
  };
  const auto train = titles("kowiki-train.txt.zst"), test = titles("kowiki-dev.txt.zst");
  CHECK(train.size() == 47096);
  CHECK(test.size() == 968);
  std::vector<std::string> shared;
  for (const std::string& title : test)
    if (train.contains(title)) shared.push_back(title);
  CHECK(shared == std::vector<std::string>());
}

}  // namespace minibert::testing
