// The figures of `minibert data stats`, against NumPy and against a count by other means.
#include "data/statistics/statistics.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "core/rng.h"
#include "data/registry.h"
#include "data/splits/labelled_data.h"
#include "data/statistics/counts.h"
#include "data/statistics/statistics_html.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"
#include "text/byte_source.h"

using namespace minibert;
using namespace minibert::testing;
using nlohmann::json;

namespace {

// NumPy's figures for lists of numbers: distribution()'s keys, and the histogram's edges.
constexpr char kNumpy[] = R"(
import json, sys
import numpy as np

def distribution(values, bins):
    v = np.asarray(values, dtype=float)
    q1, q2, q3 = np.percentile(v, [25, 50, 75])
    if (v == np.floor(v)).all():
        width = np.ceil((v.max() - v.min() + 1) / bins)
        bins = v.min() - 0.5 + width * np.arange(np.ceil((v.max() - v.min() + 1) / width) + 1)
    counts, edges = np.histogram(v, bins=bins)
    return dict(count=len(v), min=v.min(), max=v.max(), mean=v.mean(), deviation=v.std(), percentile_25=q1,
                percentile_50=q2, percentile_75=q3, iqr=q3 - q1, box_max=q3 + 1.5 * (q3 - q1),
                upper_whisker=v[v <= q3 + 1.5 * (q3 - q1)].max(),
                histogram=dict(first=edges[0], width=edges[1] - edges[0], counts=counts.tolist()))
)";

json run_python(const Scratch& scratch, const std::string& script, const std::string& argument) {
  write_bytes(scratch / "script.py", kNumpy + script);
  const ShellResult result = shell("/usr/bin/python3 " + single_quoted(scratch / "script.py") +
                                   " " + single_quoted(argument));
  INFO(result.output);
  REQUIRE(result.status == 0);
  return json::parse(result.output);
}

// A data set of one file, as the registry would resolve it.
ResolvedData labelled_file(const std::string& path, const std::string& kind) {
  ResolvedData data;
  data.set.id = "own";
  DataFile file;
  file.name = "own", file.kind = kind, file.split = "train";
  data.set.files.push_back(file);
  FileState state;
  state.presence = Presence::complete, state.path = path;
  data.files.push_back(state);
  return data;
}

void check_same(const json& found, const json& expected) {
  REQUIRE(found.size() == expected.size());
  for (const auto& [key, value] : expected.items()) {
    INFO(key << " " << found.at(key).dump().substr(0, 200) << " / " << value.dump().substr(0, 200));
    if (value.is_object()) {
      check_same(found.at(key), value);
    } else if (value.is_array()) {
      CHECK(found.at(key) == value);
    } else {
      CHECK(found.at(key).get<double>() == Approx(value.get<double>()).epsilon(1e-12));
    }
  }
}

}  // namespace

TEST_CASE("a distribution has the figures of NumPy") {
  const Scratch scratch;
  json cases = json::array();
  for (int i = 0; i < 40; ++i) {
    Rng rng(1, "test/distribution", 0, static_cast<uint64_t>(i));
    json values = json::array();
    for (uint64_t n = 2 + rng.below(400); n > 0; --n)
      values.push_back(i % 2 == 0 ? static_cast<double>(rng.below(50))
                                  : static_cast<double>(rng.below(1000000)) / 7.0 - 3000);
    values.push_back(60.0);  // so that not all are equal
    cases.push_back({{"values", values}, {"bins", 1 + rng.below(120)}});
  }
  write_file_atomically(scratch / "cases.json", cases.dump());
  const json expected = run_python(scratch,
                                   "print(json.dumps([distribution(c['values'], c['bins']) for c "
                                   "in json.load(open(sys.argv[1]))]))",
                                   scratch / "cases.json");
  for (size_t i = 0; i < cases.size(); ++i) {
    INFO("case " << i);
    check_same(distribution(cases[i]["values"].get<std::vector<double>>(), cases[i]["bins"]),
               expected[i]);
  }
  CHECK(distribution({}, 10).is_null());
  CHECK(distribution({4, 4}, 10)["histogram"]["counts"] == json({2}));
  // A bar for each whole number.
  CHECK(distribution({6, 8, 8, 9}, 100)["histogram"] ==
        json({{"first", 5.5}, {"width", 1.0}, {"counts", {1, 0, 2, 1}}}));
}

TEST_CASE("KorQuAD's lengths and positions are those of a count by hand, once a question") {
  const Scratch scratch;
  const json found = json::parse(run_program("data stats sample --json").out).at("train");
  const json expected = run_python(scratch, R"(
questions, contexts, positions, answers = [], [], [], []
for article in json.load(open(sys.argv[1]))["data"]:
    for paragraph in article["paragraphs"]:
        for qa in paragraph["qas"]:
            questions.append(len(qa["question"]))
            contexts.append(len(paragraph["context"]))
            positions.append(qa["answers"][0]["answer_start"])
            answers.append(len(qa["answers"][0]["text"]))
print(json.dumps(dict(question_length=distribution(questions, 100), context_length=distribution(contexts, 900),
                      answer_position=distribution(positions, 500), answer_length=distribution(answers, 100))))
)",
                                   "experiments/sample/train.json");
  for (const auto& [name, values] : expected.items()) {
    INFO(name);
    check_same(found.at(name), values);
  }
  CHECK(found.at("context_length").at("count") == found.at("questions"));
  CHECK(found.at("words").at("contexts").size() == 100);
}

TEST_CASE("in pieces, questions are not cut and answers stand where the features have them") {
  const Scratch scratch;
  const std::string tokenizer = std::string(" --tokenizer ") + kShippedModel;
  const json found =
      json::parse(run_program("data stats sample --json" + tokenizer).out).at("test");
  const auto features = run_program("data features sample --split test" + tokenizer);
  REQUIRE(features.status == 0);
  testing::write_bytes(scratch / "f.jsonl", features.out);
  const json expected = run_python(scratch, R"(
questions, positions, answers = [], [], []
for line in open(sys.argv[1]):
    feature = json.loads(line)
    assert not feature["discarded"]
    first = feature["segments"].index(1)
    questions.append(first - 2)
    positions.append(feature["start"] - first)
    answers.append(feature["end"] - feature["start"] + 1)
assert max(questions) < 64
print(json.dumps(dict(question_length=distribution(questions, 100), answer_position=distribution(positions, 500),
                      answer_length=distribution(answers, 100))))
)",
                                   scratch / "f.jsonl");
  for (const auto& [name, values] : expected.items()) {
    INFO(name);
    check_same(found.at(name), values);
  }
  CHECK(found.at("unit") == "pieces");
  CHECK(found.at("answers_beyond_the_window") == 0);
}

TEST_CASE("a long question counts whole") {
  const Scratch scratch;
  std::string question;
  for (int i = 0; i < 200; ++i) question += "물 ";
  const Tokenizer tokenizer = Tokenizer::from_bytes(
      train_tokenizer({"experiments/sample/corpus.txt"}, {.vocab_size = 1500}, true));
  write_bytes(
      scratch / "q.json",
      R"({"data":[{"title":"제목","paragraphs":[{"context":"물은 흐른다","qas":[{"id":"q","question":")" +
          question + R"(","answers":[{"text":"물","answer_start":0}]}]}]}]})");
  const ResolvedData data = labelled_file(scratch / "q.json", "korquad");
  const json table = data_statistics(data, &tokenizer, {}, 1);
  CHECK(table["train"]["question_length"]["max"] == tokenizer.encode(question).size());
  CHECK(table["train"]["question_length"]["max"] > 64);
}

TEST_CASE("a text's figures are those of its tokenizer's pieces, whatever the number of threads") {
  const Scratch scratch;
  const Tokenizer tokenizer = Tokenizer::from_bytes(
      train_tokenizer({"experiments/sample/corpus.txt"}, {.vocab_size = 1500}, true));
  const ResolvedData data = choose(Registry::load(), {"sample"}, "/nonexistent");
  const json one = data_statistics(data, &tokenizer, {}, 1);
  CHECK(one == data_statistics(data, &tokenizer, {}, 3));
  const json& dev = one.at("text dev");

  std::map<std::string, uint64_t> counts;
  json lines = json::array(), documents = json::array();
  double length = 0;
  std::istringstream text(read_file("experiments/sample/corpus-dev.txt") + "\n\n");
  for (std::string line; std::getline(text, line);) {
    if (line.empty()) {
      if (length > 0) documents.push_back(length);
      length = 0;
      continue;
    }
    const auto ids = tokenizer.encode(line);
    for (const int32_t id : ids) ++counts[tokenizer.piece(id)];
    lines.push_back(ids.size());
    length += static_cast<double>(ids.size());
  }
  check_same(dev.at("line_length"), distribution(lines.get<std::vector<double>>(), 100));
  check_same(dev.at("document_length"), distribution(documents.get<std::vector<double>>(), 100));
  CHECK(dev.at("vocabulary_used") == counts.size());
  for (const auto& [piece, count] : counts) CHECK(count <= dev.at("frequent_pieces")[0][1]);
  CHECK(dev.at("frequent_pieces")[0][1] == counts[dev.at("frequent_pieces")[0][0]]);
  CHECK(dev.at("character_coverage") > 0.98);
  CHECK(dev.at("unknown_rate") < 0.02);
}

TEST_CASE("a labelled set's labels and lengths are those of a count by hand, in every split") {
  const Scratch scratch;
  const json found = json::parse(run_program("data stats kobest-boolq --json").out);
  CHECK(found.size() == 3);
  for (const std::string split : {"train", "dev", "test"}) {
    INFO(split);
    write_bytes(
        scratch / split,
        read_unpacked("experiments/data/kobest/boolq-" + split + ".tsv.zst", size_t{16} << 20));
    const json expected = run_python(scratch, R"(
import collections
rows = open(sys.argv[1], encoding="utf-8").read().rstrip("\n").split("\n")[1:]
rows = [[cell.strip() for cell in row.split("\t")] for row in rows]
print(json.dumps(dict(labels=collections.Counter(row[3].lower() for row in rows),
                      text_length=distribution([len(row[2]) for row in rows], 100),
                      pair_length=distribution([len(row[1]) for row in rows], 100))))
)",
                                     scratch / split);
    const json& values = found.at(split);
    CHECK(values.at("labels") == expected.at("labels"));
    CHECK(values.at("unit") == "characters");
    check_same(values.at("text_length"), expected.at("text_length"));
    check_same(values.at("pair_length"), expected.at("pair_length"));
  }
}

TEST_CASE(
    "a labelled set's lengths in pieces are its tokenizer's, whatever the number of threads") {
  const Tokenizer tokenizer = Tokenizer::from_bytes(
      train_tokenizer({"experiments/sample/corpus.txt"}, {.vocab_size = 1500}, true));
  const ResolvedData data = choose(Registry::load(), {"kobest-copa"}, "/nonexistent");
  const json table = data_statistics(data, &tokenizer, {}, 1);
  CHECK(table == data_statistics(data, &tokenizer, {}, 3));
  const json& dev = table.at("dev");
  std::vector<double> choices;
  for (const LabelledExample& example : load_labelled(data).dev)
    for (const std::string& choice : example.choices)
      choices.push_back(static_cast<double>(tokenizer.encode(choice).size()));
  CHECK(dev.at("unit") == "pieces");
  CHECK(choices.size() == 2 * dev.at("examples").get<size_t>());
  check_same(dev.at("choice_length"), distribution(choices, 100));
  // Which of two is a label, though it is written as a number.
  CHECK(dev.at("labels").size() == 2);
  CHECK(dev.at("labels").at("1").get<size_t>() + dev.at("labels").at("2").get<size_t>() ==
        dev.at("examples"));
  CHECK_FALSE(dev.contains("target"));
}

TEST_CASE("of scores the distribution is told, of whole numbers how often each is the label") {
  const Scratch scratch;
  ResolvedData data = labelled_file(scratch / "own.tsv", "table");
  TableLayout layout;
  layout.text = {"text"}, layout.label = "score";
  data.set.table = layout;
  write_bytes(scratch / "own.tsv", "score\ttext\n1.000\t물\n4\t물이 많다\n4.000\t강\n");
  const json scores = data_statistics(data, nullptr, {}, 1).at("train");
  CHECK(scores.at("target").at("mean") == 3.0);
  CHECK(scores.at("target").at("unit") == "score");
  CHECK_FALSE(scores.contains("labels"));
  CHECK(scores.at("text_length").at("max") == 5);
  write_bytes(scratch / "own.tsv", "score\ttext\n1\t물\n4\t물이 많다\n4\t강\n");
  const json classes = data_statistics(data, nullptr, {}, 1).at("train");
  CHECK(classes.at("labels") == json::parse(R"({"1": 1, "4": 2})"));
  CHECK_FALSE(classes.contains("target"));
}

TEST_CASE("of tagged sentences entities, tags and lengths are told, and drawn") {
  const Scratch scratch;
  write_bytes(scratch / "own.tsv", "박\tB-PS\n씨\tO\n\n서\tB-LC\n울\tI-LC\n부\tB-LC\n산\tI-LC\n");
  const json table = data_statistics(labelled_file(scratch / "own.tsv", "tags"), nullptr, {}, 1);
  REQUIRE(table.size() == 1);
  const json& train = table.at("train");
  CHECK(train.at("sentences") == 2);
  CHECK(train.at("entities") == 3);
  CHECK(train.at("entity_types") == json::parse(R"({"LC": 2, "PS": 1})"));
  CHECK(train.at("tags") == json::parse(R"({"B-LC": 2, "B-PS": 1, "I-LC": 2, "O": 1})"));
  CHECK(train.at("sentence_length").at("mean") == 3.0);
  const std::string page = statistics_html("own", table);
  CHECK(contains(page, "<td>LC</td><td>2</td><td>66.7 %</td>"));
  CHECK(contains(page, "<h3>sentence length (characters)</h3>"));
}

TEST_CASE("words for a cloud: without punctuation, of two characters at least") {
  WordCounts words;
  words.add("(서울은) 한국의 수도, 서울은 크다. 큰 「서울은」 A.");
  CHECK(words.top(2) == json::parse(R"([["서울은", 3], ["수도", 1]])"));
}

TEST_CASE("data stats --html writes one page with charts and clouds, nothing from elsewhere") {
  const Scratch scratch;
  const auto result = run_program("data stats sample --html " + scratch / "s.html");
  REQUIRE(result.status == 0);
  const std::string page = read_file(scratch / "s.html");
  const auto count = [&](const std::string& part) {
    size_t n = 0;
    for (size_t at = 0; (at = page.find(part, at)) != std::string::npos; at += part.size()) ++n;
    return n;
  };
  CHECK(count("<svg viewBox") == 3 * 4 + 2 * 2);
  CHECK(count("<svg class=\"cloud\"") == 3 * 3);
  CHECK(count("http") == 0);
  CHECK(count("<script") == 0);
}
