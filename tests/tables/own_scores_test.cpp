// Labels as people write them: numbers with a unit, several of a text in a cell, yes and no.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "data/own/label_cells.h"
#include "data/own/own_labelled.h"
#include "data/own/resolve_own.h"
#include "data/own/survey.h"
#include "files.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::has_part;
using testing::looked_at;
using testing::mistake;
using testing::Scratch;
using testing::source_of;
using testing::write_bytes;
using Cells = std::vector<std::string>;

// A hundred rows of a text and what `label` says.
std::string hundred(const std::string& header, const std::function<std::string(int)>& label) {
  std::string out = header + "\n";
  for (int i = 0; i < 100; ++i) out += "글 번호 " + std::to_string(i) + "," + label(i) + "\n";
  return out;
}

// The labels of all rows that are read as `found` says, as numbers.
std::vector<double> numbers_of(const Survey& found) {
  const LabelledSplits splits = load_own_labelled(found.source, [](const std::string&) {});
  std::vector<double> out;
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const LabelledExample& one : *split) out.push_back(std::stod(one.label));
  std::ranges::sort(out);
  return out;
}

}  // namespace

TEST_CASE("numbers are read with their unit, with grouped digits and with a decimal comma") {
  CHECK(number_written("85점", "#점") == "85");
  CHECK(number_written("85 점", "#점") == "85");
  CHECK(number_written("85", "#점") == "85");
  CHECK(number_written("12,000원", "#원") == "12000");
  CHECK(number_written("3,5", "#,#") == "3.5");
  CHECK_FALSE(number_written("3,5", "#"));
  CHECK_FALSE(number_written("85%", "#점"));
  CHECK_FALSE(number_written("결시", "#점"));
  const auto ways = [](const std::vector<std::string_view>& cells) {
    return ways_of_scores(cells);
  };
  CHECK(ways({"85점", "90점", "", "결시"}) == LabelNames{{"#점", "#"}, {"결시", ""}});
  CHECK(ways({"85", "-", "90.5"}) == LabelNames{{"-", ""}});
  CHECK(ways({"12,000", "900"}) == LabelNames{{"#", "#"}});
  CHECK(ways({"3,5", "4"}) == LabelNames{{"#,#", "#"}});
  CHECK(ways({"85", "90"}) == LabelNames{});
  CHECK_FALSE(ways({"85점", "90%"}));
  CHECK_FALSE(ways({"85점", "90"}));
  CHECK_FALSE(ways({"3,5", "3.5"}));
  CHECK_FALSE(ways({"85", "우수"}));
  CHECK_FALSE(ways({"-"}));
}

TEST_CASE("scores with a unit are learnt as numbers, and who was absent is left out") {
  const Scratch scratch;
  const std::string scores = hundred("글,점수", [](int i) {
    return i % 20 == 0 ? std::string("결시") : std::to_string(50 + i % 40) + "점";
  });
  const Survey found = looked_at(scratch, "a.csv", scores, LabelsAs::scores);
  CHECK(found.scores);
  CHECK(found.source.labels == LabelNames{{"#점", "#"}, {"결시", ""}});
  CHECK(
      has_part(found, "5 rows have a label that \"labels\" leaves out (the first is \"결시\" in " +
                          scratch / "a.csv" + ":2)"));
  const std::vector<double> numbers = numbers_of(found);
  CHECK(numbers.size() == 95);
  CHECK(numbers.front() == 51);
  CHECK(numbers.back() == 89);
  // To a data set these are no labels' names.
  CHECK(resolve_own(found.source).set.table->labels.empty());
  // As names, each score is a class; how they are learnt as numbers is told.
  const Survey named =
      looked_at(scratch, "a.csv", hundred("글,점수", [](int i) {
                  return i % 20 == 0 ? std::string("-") : std::to_string(1 + i % 5) + "점";
                }));
  CHECK_FALSE(named.scores);
  CHECK(has_part(named, "note: the labels are numbers but in 5 of 100 rows (\"-\", the first in " +
                            scratch / "a.csv" + ":2) and are learnt as names"));
  CHECK(has_part(named, "--task regression learns them as numbers, and leaves out these rows"));
  const auto mixed = [](int i) { return std::string(i % 2 == 0 ? "85점" : "90"); };
  CHECK_THAT(
      mistake(scratch,
              [&] { looked_at(scratch, "a.csv", hundred("글,점수", mixed), LabelsAs::scores); }),
      Contains("a.csv:2: found the label \"85점\", expected numbers for regression (so in 50 of "
               "100 rows)"));
  const auto prices = [](int i) { return "\"" + std::to_string(1 + i) + ",500\""; };
  CHECK(numbers_of(looked_at(scratch, "a.csv", hundred("글,점수", prices), LabelsAs::scores))
            .back() == 100500);
}

TEST_CASE("decimal commas of a score are no two labels, whatever separates the cells") {
  const Scratch scratch;
  const auto halves = [](int i) {
    return "\"" + std::to_string(1 + i % 5) + "," + (i % 2 == 0 ? "5" : "0") + "\"";
  };
  const Survey found = looked_at(scratch, "a.csv", hundred("글,점수", halves));
  CHECK(found.scores);
  CHECK_FALSE(found.several);
  CHECK(has_part(found, "labels: numbers, as \"labels\" says: {\"#,#\":\"#\"}"));
  CHECK(numbers_of(found).back() == 5.5);
  CHECK(looked_at(scratch, "a.csv", hundred("글,라벨", halves)).several);
}

TEST_CASE("scores of which many are missing, and sets of digits, are told as either may be meant") {
  const Scratch scratch;
  const Survey absent = looked_at(scratch, "a.csv", hundred("글,성적", [](int i) {
                                    return i % 5 < 2 ? "결시" : std::to_string(60 + i % 4) + "점";
                                  }));
  CHECK(has_part(absent, "note: the labels are numbers but in 40 of 100 rows (\"결시\""));
  CHECK(has_part(absent, "--task regression learns them as numbers, and leaves out these rows"));
  write_bytes(scratch / "sets.tsv", [] {
    std::string out = "document\tlabel\n";
    const char* sets[] = {"0,3", "1,2", "2,5", "4", "1", "0"};
    for (int i = 0; i < 60; ++i) out += "글 번호 " + std::to_string(i) + "\t" + sets[i % 6] + "\n";
    return out;
  }());
  CHECK(has_part(survey(source_of(scratch / "sets.tsv"), {}),
                 "note: or a comma stands between several labels of a text: --column "
                 "label_separator=comma"));
}

TEST_CASE("a comma in brackets stands in a label, not between two") {
  CHECK(labels_in_cell("기쁨, 슬픔(우울, 상실)", "comma", "") == Cells{"기쁨", "슬픔(우울, 상실)"});
  CHECK(labels_in_cell("기쁨, 슬픔（우울, 상실）", "comma", "") ==
        Cells{"기쁨", "슬픔（우울, 상실）"});
  CHECK(labels_in_cell(":(, 기쁨;", "comma", "") == Cells{":(", "기쁨;"});
  CHECK(labels_in_cell("기쁨;슬픔;", "semicolon", "") == Cells{"기쁨", "슬픔"});
  const Scratch scratch;
  const Survey found =
      looked_at(scratch, "a.csv", hundred("글,감정", [](int i) {
                  const char* cells[] = {"기쁨", "\"슬픔(우울, 상실)\"",
                                         "\"기쁨, 슬픔(우울, 상실)\"", "\"기쁨, 놀람\"", "놀람"};
                  return std::string(cells[i % 5]);
                }));
  CHECK(found.several);
  CHECK(found.labels ==
        std::map<std::string, size_t>{{"기쁨", 60}, {"놀람", 40}, {"슬픔(우울, 상실)", 40}});
}

TEST_CASE("labels that look joined by a slash, a line break or # are told") {
  const Scratch scratch;
  const std::pair<std::string, std::string> joints[] = {{"/", "\"/\""}, {"\n", "a line break"}};
  for (const auto& [joint, told] : joints) {
    const std::string between = joint;
    const auto label = [&](int i) {
      const Cells labels = {"기쁨", "여행", "음식"};
      const auto at = static_cast<size_t>(i);
      const std::string one = labels[at % 3], other = labels[(at + 1) % 3];
      return i % 2 == 0 ? one : "\"" + one + between + other + "\"";
    };
    const Survey found = looked_at(scratch, "a.csv", hundred("글,분류", label));
    CHECK_FALSE(found.several);
    CHECK(has_part(found, "note: labels look joined by " + told + ", and each combination"));
    CHECK_FALSE(std::ranges::any_of(lines_of(found), [](const std::string& line) {
      return line.find('\n') != std::string::npos;
    }));
  }
  CHECK(foreign_separator_of(std::vector<std::string_view>{"IT/과학", "생활/문화", "정치"}) == "");
}

TEST_CASE("labels between hashes, as doccano writes them, and hashtags are several") {
  using Views = std::vector<std::string_view>;
  CHECK(label_separator_of(Views{"가", "나#가", "나", "나#다", "가#다"}) == "hash");
  CHECK(label_separator_of(Views{"#가", "#나", "#가 #나", "#나 #다", "#가 #다", "#다"}) == "hash");
  CHECK(labels_in_cell("#가 #나", "hash", "") == Cells{"가", "나"});
  CHECK(labels_in_cell("#가", "hash", "") == Cells{"가"});
  CHECK(label_separator_of(Views{"#가", "#나", "#다"}).empty());
  CHECK(likely_separator_of(Views{"C#", "F#", "Java"}).empty());
  CHECK(labels_in_cell("C#", "comma", "") == Cells{"C#"});
  const Scratch scratch;
  const Survey found =
      looked_at(scratch, "a.csv", hundred("id,text,label", [](int i) {
                  const char* cells[] = {"기쁨", "분노#기쁨", "분노", "분노#슬픔", "슬픔"};
                  return std::to_string(i) + "번 글," + cells[i % 5];
                }));
  CHECK(found.several);
  CHECK(found.labels.size() == 3);
  CHECK(found.source.label_separator == "hash");
}

TEST_CASE("lists of several labels beside single ones, as annotation tools write them") {
  using Views = std::vector<std::string_view>;
  CHECK(label_separator_of(Views{"기쁨", "[\"분노\", \"기쁨\"]", "분노"}) == "list");
  CHECK(labels_in_cell("기쁨", "list", "") == Cells{"기쁨"});
  CHECK(labels_in_cell("{\"choices\": [\"분노\", \"기쁨\"]}", "list", "") == Cells{"분노", "기쁨"});
  CHECK(label_separator_of(Views{"[공지]", "기쁨"}).empty());
  const Scratch scratch;
  const auto found = [&](const std::string& file, const std::function<std::string(int)>& row) {
    std::string rows;
    for (int i = 0; i < 60; ++i)
      rows += (i == 0 ? "[" : ",") + std::string("{\"text\": \"") + std::to_string(i) +
              "번 글\", \"sentiment\": " + row(i) + "}";
    return looked_at(scratch, file, rows + "]");
  };
  // Label Studio's JSON-MIN.
  const Survey min = found("min.json", [](int i) {
    return i % 3 == 0   ? std::string("{\"choices\": [\"기쁨\", \"분노\"]}")
           : i % 3 == 1 ? "\"기쁨\""
                        : "\"분노\"";
  });
  CHECK(min.several);
  CHECK(min.labels.size() == 2);
  CHECK(min.source.columns.label == "sentiment");
}

TEST_CASE("lists of 0 and 1 are refused as labels, with the way of columns") {
  const Scratch scratch;
  const char* ways[][2] = {{"[0,1,0]", "[1,0,0]"}, {"[1, 1, 0]", "[0.0, 1.0, 0.0]"}};
  for (const auto& [one, other] : ways) {
    write_bytes(scratch / "a.csv", hundred("글,라벨", [&](int i) {
                  return "\"" + std::string(i % 2 == 0 ? one : other) + "\"";
                }));
    CHECK_THAT(mistake(scratch, [&] { survey(source_of(scratch / "a.csv"), {}); }),
               Catch::Matchers::Contains("found lists of 0 and 1 as labels (\"") &&
                   Catch::Matchers::Contains("or a column of 0 and 1 for each name"));
  }
}

TEST_CASE("a dash among marks of yes and no is no") {
  CHECK(flag_of("-") == std::optional(false));
  CHECK(flag_of("O") == std::optional(true));
}

TEST_CASE("labels that training lacks are told as what run refuses") {
  const Scratch scratch;
  write_bytes(scratch / "test.csv", "글,라벨\n새 글,중립\n다른 글,긍정\n");
  const auto label = [](int i) { return std::string(i % 2 == 0 ? "긍정" : "부정"); };
  write_bytes(scratch / "train.csv", hundred("글,라벨", label));
  OwnSource source = source_of(scratch / "train.csv");
  CHECK_FALSE(has_part(survey(source), "run refuses"));
  source.test = {scratch / "test.csv"};
  CHECK(has_part(survey(source), "note: run refuses labels that training lacks"));
}

}  // namespace minibert
