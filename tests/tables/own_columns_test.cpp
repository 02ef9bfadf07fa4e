// Which columns of one's own tables are taken for what, what else could be meant, and what is not read.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "data/own/columns.h"
#include "data/own/form.h"
#include "data/own/label_cells.h"
#include "data/own/own_labelled.h"
#include "data/own/survey.h"
#include "data/tables/read_table.h"
#include "data/tables/times.h"
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
using Lines = std::vector<std::string>;

// A header, if it is one, and sixty rows.
std::string sixty(const std::string& header, const std::function<std::string(int)>& row) {
  std::string out = header.empty() ? "" : header + "\n";
  for (int i = 0; i < 60; ++i) out += row(i) + "\n";
  return out;
}

std::string text(int i) { return "글 번호 " + std::to_string(i); }

// "도시는 0?,서울0,부산0,대구0"
std::string question(int i) {
  const std::string n = std::to_string(i);
  return "도시는 " + n + "?,서울" + n + ",부산" + n + ",대구" + n;
}

// What a first look says of a file with these bytes.
OwnColumns found_in(const Scratch& scratch, const std::string& name, const std::string& bytes) {
  write_bytes(scratch / name, bytes);
  return find_columns(read_table(scratch / name), {});
}

// All rows as they are measured, and what is told of them.
struct Measured {
  std::vector<LabelledExample> rows;
  Lines told;
};

Measured measured(const OwnSource& how, const std::string& path) {
  OwnSource source = how;
  source.test = {path};
  Measured out;
  out.rows =
      load_own_labelled(source, [&](const std::string& line) { out.told.push_back(line); }).test;
  return out;
}

}  // namespace

TEST_CASE("labels 1 and 2 of a file without a header name no columns") {
  const Scratch scratch;
  const std::string rows =
      sixty("", [](int i) { return text(i) + "," + std::to_string(1 + i % 2); });
  const Survey found = looked_at(scratch, "a.csv", rows);
  REQUIRE(found.source.header);
  CHECK_FALSE(*found.source.header);
  CHECK(found.labels == std::map<std::string, size_t>{{"1", 30}, {"2", 30}});
  TableOptions second;
  second.wanted = {"2"};
  CHECK(read_table(scratch / "a.csv", second).rows.size() == 60);
  // Who has columns of these names says so.
  write_bytes(scratch / "named.csv", "1,2\n" + rows);
  second.header = true;
  CHECK(read_table(scratch / "named.csv", second).rows.size() == 60);
}

TEST_CASE("beside an answer neither a score nor a category says which alternative is right") {
  const Scratch scratch;
  const std::string header = "문제,보기1,보기2,보기3,정답,";
  const Survey scored = looked_at(scratch, "a.csv", sixty(header + "점수", [](int i) {
                                    return question(i) + "," + std::to_string(1 + i % 3) + "," +
                                           std::to_string(2 + i % 2);
                                  }));
  CHECK(scored.source.columns.label == "정답");
  CHECK(
      has_part(scored.told, "\"정답\" is taken for the label by its name; 점수 could be it, too"));
  CHECK(looked_at(
            scratch, "b.csv",
            sixty(header + "분류",
                  [](int i) { return question(i) + "," + std::to_string(1 + i % 3) + ",지리"; }))
            .source.columns.label == "정답");
  const Survey same =
      looked_at(scratch, "c.csv",
                sixty("문제,보기1,보기2,보기3,정답", [](int i) { return question(i) + ",2"; }));
  CHECK(has_part(same.told, "note: alternative 2 is the right one in all 60 rows"));
}

TEST_CASE("a column of numbers is no text, whatever it is called") {
  const Scratch scratch;
  const OwnColumns found =
      found_in(scratch, "a.csv", sixty("글,내용,점수", [](int i) {
                 return text(i) + "," + std::to_string(i % 5) + "," + std::to_string(i % 7);
               }));
  CHECK(described(found) == "text \"글\", label \"점수\"");
  write_bytes(scratch / "b.csv", sixty("논술문,내용,조직,총점", [](int i) {
                return text(i) + "," + std::to_string(i % 5) + "," + std::to_string(i % 4) + "," +
                       std::to_string(i % 9);
              }));
  CHECK_THAT(mistake(scratch, [&] { find_columns(read_table(scratch / "b.csv"), {}); }),
             Contains("found the columns 내용, 조직, 총점 that could be the label"));
  OwnColumns total;
  total.label = "총점";
  CHECK(find_columns(read_table(scratch / "b.csv"), total).text == Lines{"논술문"});
}

TEST_CASE("an answer of another form than the others' is told with its line, and can be left out") {
  const Scratch scratch;
  write_bytes(scratch / "a.csv", sixty("문제,보기1,보기2,보기3,정답", [](int i) {
                return question(i) + "," + (i == 30 ? "모두 정답" : std::to_string(1 + i % 3));
              }));
  CHECK_THAT(mistake(scratch, [&] { measured({}, scratch / "a.csv"); }),
             Contains("a.csv:32: found the answer \"모두 정답\", expected 1 to 3"));
  OwnSource without;
  without.labels = {{"모두 정답", ""}};
  const Measured left = measured(without, scratch / "a.csv");
  CHECK(left.rows.size() == 59);
  CHECK(has_part(left.told,
                 "1 row has a label that \"labels\" leaves out (the first is "
                 "\"모두 정답\" in " +
                     scratch / "a.csv" + ":32)"));
  // A single 0 among answers from 1 is the slip, not all others.
  write_bytes(scratch / "b.csv", sixty("문제,보기1,보기2,보기3,정답", [](int i) {
                return question(i) + "," + std::to_string(i == 30 ? 0 : 1 + i % 3);
              }));
  CHECK_THAT(mistake(scratch, [&] { measured({}, scratch / "b.csv"); }),
             Contains("b.csv:32: found the answer \"0\", expected 1 to 3"));
  // Alternatives that are numbers are answered by their text.
  write_bytes(scratch / "c.csv", sixty("문제,보기1,보기2,보기3,정답", [](int i) {
                return "몇? " + std::to_string(i) + ",1,2,12," +
                       (i % 10 == 0 ? "12" : std::to_string(1 + i % 2));
              }));
  CHECK(measured({}, scratch / "c.csv").rows.at(0).label == "3");
}

TEST_CASE("a second text is asked for, found by its name, and told where it is not read") {
  const Scratch scratch;
  const auto pairs = [](int i) {
    return text(i) + "," + text(i + 1) + " 다음," + std::to_string(i % 2);
  };
  write_bytes(scratch / "a.csv", sixty("질문,답변,정답여부", pairs));
  CHECK_THAT(mistake(scratch, [&] { survey(source_of(scratch / "a.csv")); }),
             Contains("found the columns 질문, 답변 that could be the text among 질문, 답변, "
                      "정답여부, expected the key \"text\" to name one (of a command: --column "
                      "text=NAME, and pair=NAME for a second text)"));
  OwnSource one = source_of(scratch / "a.csv");
  one.columns.text = {"질문"};
  CHECK(has_part(survey(one).told,
                 "note: not read: 답변; --column pair=NAME makes one a second text"));
  one.columns.pair = "답변";
  CHECK_FALSE(has_part(survey(one).told, "not read"));
  CHECK(described(found_in(scratch, "b.csv", sixty("Q,A,label", pairs))) ==
        "text \"Q\", pair \"A\", label \"label\"");
  CHECK(described(found_in(scratch, "c.csv", sixty("sent1,sent2,label", pairs))) ==
        "text \"sent1\", pair \"sent2\", label \"label\"");
  // Among letters of alternatives A is one.
  CHECK(described(found_in(scratch, "d.csv", sixty("Q,A,B,C,answer", [](int i) {
                             return question(i) + "," + std::to_string(1 + i % 3);
                           }))) == "text \"Q\", choices \"A B C\", label \"answer\"");
  CHECK(has_part(looked_at(scratch, "e.tsv",
                           sixty("ID\tText\tQuestion\tlabel",
                                 [](int i) {
                                   return std::to_string(i) + "\t" + text(i) + "\t맞나 " +
                                          std::to_string(i) + "?\t" + std::to_string(i % 2);
                                 }))
                     .told,
                 "note: not read: Question"));
}

TEST_CASE("alternatives of exam sheets stand in columns ①, ② or 1번, 2번") {
  const Scratch scratch;
  for (const std::string header :
       {"번호,문제,①,②,③,정답", "번호,문제,1번,2번,3번,정답", "번호,문제,보기①,보기②,보기③,정답"}) {
    INFO(header);
    write_bytes(scratch / "a.csv", sixty(header, [](int i) {
                  return std::to_string(i) + "," + question(i) + "," + std::to_string(1 + i % 3);
                }));
    CHECK(form_of(source_of(scratch / "a.csv")) == OwnForm::labelled);
    const LabelledExample second = measured({}, scratch / "a.csv").rows.at(1);
    CHECK(second.text == "도시는 1?");
    CHECK(second.choices == Lines{"서울1", "부산1", "대구1"});
    CHECK(second.label == "2");
  }
  const OwnColumns read =
      found_in(scratch, "b.csv", sixty("지문,발문,선택지 1,선택지 2,선택지 3,답", [](int i) {
                 return "긴 글 " + std::to_string(i / 3) + "," + question(i) + "," +
                        std::to_string(1 + i % 3);
               }));
  CHECK(read.text == Lines{"지문", "발문"});
  write_bytes(scratch / "c.csv", sixty("문제,보기,정답", [](int i) {
                return "도시는 " + std::to_string(i) + "?,서울" + std::to_string(i) + " 부산," +
                       std::to_string(1 + i % 2);
              }));
  CHECK_THAT(mistake(scratch, [&] { survey(source_of(scratch / "c.csv")); }),
             Contains("that could be the text") &&
                 Contains("alternatives need a column each, as 보기1, 보기2, …, or lists in one"));
}

TEST_CASE("numbers that all differ are the label of regression where no other column can be") {
  const Scratch scratch;
  const auto as_numbers = [&](const std::string& header,
                              const std::function<std::string(int)>& row) {
    write_bytes(scratch / "a.csv", sixty(header, row));
    return survey(source_of(scratch / "a.csv"), LabelsAs::scores);
  };
  const auto price = [](int i) { return std::to_string(1000 + i * 37); };
  // Numbers of rows are none, and neither are names that come again, be they called as labels are.
  for (const std::string header : {"순번,설명,지역,값", "순번,설명,분류,값"}) {
    INFO(header);
    const Survey found = as_numbers(header, [&](int i) {
      return std::to_string(i + 1) + "," + text(i) + (i % 2 == 0 ? ",서울," : ",부산,") + price(i);
    });
    CHECK(found.scores);
    CHECK(described(found.source.columns) == "text \"설명\", label \"값\"");
    CHECK(has_part(found.told, "text \"설명\", label \"값\""));
  }
  // With a unit they are no text either.
  const auto won = [](int i) { return text(i) + ",\"" + std::to_string(10 + i) + ",000원\""; };
  const Survey units = as_numbers("설명,값", won);
  CHECK(units.source.columns.label == "값");
  CHECK(units.source.labels == LabelNames{{"#원", "#"}});
  CHECK_THAT(mistake(scratch, [&] { looked_at(scratch, "b.csv", sixty("설명,값", won)); }),
             Contains("b.csv: found no column that could be the label among 설명, 값"));
  // Of several one is named, unless the numbers of one alone come again.
  const auto with = [&](const std::function<std::string(int)>& number) {
    return [&, number](int i) { return text(i) + "," + number(i) + "," + price(i); };
  };
  CHECK_THAT(mistake(scratch,
                     [&] {
                       as_numbers("설명,넓이,값",
                                  with([](int i) { return std::to_string(20 + 2 * i); }));
                     }),
             Catch::EndsWith("found the columns 넓이, 값 that could be the label among 설명, 넓이, "
                             "값, expected the key \"label\" to name one (of a command: --column "
                             "label=NAME)"));
  CHECK(as_numbers("설명,별,값", with([](int i) { return std::to_string(1 + i % 5); }))
            .source.columns.label == "별");
  CHECK_THAT(mistake(scratch,
                     [&] {
                       as_numbers("설명,지역",
                                  [](int i) { return text(i) + (i % 2 == 0 ? ",서울" : ",부산"); });
                     }),
             Contains("a.csv:2: found the label \"서울\", expected numbers for regression"));
}

TEST_CASE("a column of dates is no text, however they are written") {
  const Scratch scratch;
  for (const std::string form :
       {"2024년 #월 %일", "2024년#월%일(월)", "2024-#-%", "2024.#.%.", "24/#/% 13:05",
        "2024. #. % 오후 3:12:45", "2024년 #월 %일 월요일 오전 9시 30분", "2024-#-%T13:05:22Z",
        "2024/#/% 3:12:45 PM GMT+9", "\"Jan %, 202#\""}) {
    INFO(form);
    const auto row = [&](int i) {
      std::string date = form;
      date.replace(date.find('#'), 1, std::to_string(1 + i / 28));
      date.replace(date.find('%'), 1, std::to_string(1 + i % 28));
      return date + "," + text(i) + (i % 2 == 0 ? ",긍정" : ",부정");
    };
    CHECK_FALSE(has_part(looked_at(scratch, "a.csv", sixty("언제,글,라벨", row)).told, "not read"));
    CHECK(described(found_in(scratch, "b.csv", sixty("언제,말,느낌", row))) ==
          "text \"말\", label \"느낌\"");
  }
  for (const char* words : {"1월의 시", "3시간", "오후", "1일 1식", "May I?"}) {
    INFO(words);
    CHECK_FALSE(is_wordless(words));
  }
}

TEST_CASE("an empty alternative or second text is told by the name of its column") {
  const Scratch scratch;
  write_bytes(scratch / "a.csv", sixty("문제,보기1,보기2,보기3,정답", [](int i) {
                const std::string n = std::to_string(i);
                return "도시는 " + n + "?,서울" + n + ",부산" + n + "," +
                       (i % 3 == 0 ? "" : "대구" + n) + "," + std::to_string(1 + i % 2);
              }));
  const Measured found = measured({}, scratch / "a.csv");
  CHECK(found.rows.size() == 40);
  CHECK(has_part(found.told, "20 rows have an empty \"보기3\": left out (the first is " +
                                 scratch / "a.csv" + ":2); all rows need as many alternatives"));
  write_bytes(scratch / "b.csv", sixty("sentence1,sentence2,label", [](int i) {
                return text(i) + "," + (i % 3 == 0 ? "" : text(i + 1)) + "," +
                       std::to_string(i % 2);
              }));
  CHECK(has_part(measured({}, scratch / "b.csv").told,
                 "20 rows have an empty \"sentence2\": left out (the first is "));
}

TEST_CASE("a column that says the split or the fold is no label, and told as not read") {
  const Scratch scratch;
  const Survey found = looked_at(scratch, "a.csv", sixty("문장,split,종류", [](int i) {
                                   return text(i) + "," +
                                          (i % 10 == 0   ? "dev"
                                           : i % 10 == 1 ? "test"
                                                         : "train") +
                                          (i % 2 == 0 ? ",시" : ",소설");
                                 }));
  CHECK(found.source.columns.label == "종류");
  CHECK(has_part(found.told,
                 "note: \"split\" (dev 6, test 6, train 48) is not read: a row goes to the "
                 "split whose file it stands in (--dev FILE, --test FILE)"));
  CHECK(has_part(looked_at(scratch, "b.csv",
                           sixty("문장,라벨,fold",
                                 [](int i) {
                                   return text(i) + (i % 2 == 0 ? ",시," : ",소설,") +
                                          std::to_string(i % 5);
                                 }))
                     .told,
                 "note: \"fold\" (0 12, 1 12, 2 12, 3 12, 4 12) is not read"));
}

TEST_CASE("alternatives below a key of an object are read with the letter that is right") {
  const Scratch scratch;
  write_bytes(scratch / "arc.jsonl", sixty("", [](int i) {
                const std::string n = std::to_string(i);
                return R"({"id": "m)" + n + R"(", "question": "도시는? )" + n +
                       R"(", "choices": {"text": ["서울)" + n + R"(", "부산)" + n +
                       R"("], "label": ["A", "B"]}, "answerKey": ")" + (i % 2 == 0 ? "A" : "B") +
                       R"("})";
              }));
  CHECK(described(find_columns(read_table(scratch / "arc.jsonl"), {})) ==
        "text \"question\", choices \"choices.text\", label \"answerKey\"");
  CHECK(doubts(read_table(scratch / "arc.jsonl"), {},
               find_columns(read_table(scratch / "arc.jsonl"), {}))
            .empty());
  const LabelledExample second = measured({}, scratch / "arc.jsonl").rows.at(1);
  CHECK(second.choices == Lines{"서울1", "부산1"});
  CHECK(second.label == "2");
}

TEST_CASE("lists of words and tags in cells are refused, and so are labels that never differ") {
  const Scratch scratch;
  write_bytes(scratch / "list.csv", sixty("tokens,tags", [](int i) {
                return "\"['김', '" + std::to_string(i) + "']\",\"['B-PER', 'O']\"";
              }));
  CHECK_THAT(mistake(scratch, [&] { form_of(source_of(scratch / "list.csv")); }),
             Contains("list.csv:2: found lists of tokens and tags in cells, expected lists of "
                      "JSON"));
  write_bytes(scratch / "same.tsv",
              sixty("text\tlabels", [](int i) { return text(i) + "\t[\"가\", \"나\"]"; }));
  CHECK_THAT(mistake(scratch, [&] { survey(source_of(scratch / "same.tsv")); }),
             Contains("same.tsv: found the labels \"가|나\" in every row, expected rows that "
                      "differ"));
}

TEST_CASE("a file that was read as lines is told as that where a label is asked for") {
  const Scratch scratch;
  write_bytes(scratch / "a.txt",
              sixty("", [](int i) { return text(i) + (i % 2 == 0 ? " / 긍정" : " / 부정"); }));
  CHECK_THAT(mistake(scratch, [&] { survey(source_of(scratch / "a.txt")); }),
             Contains("found no column that could be the label among 1") &&
                 Contains("each line was read as one cell (--column separator=comma"));
}

TEST_CASE("what Argilla's program proposed is no label, and what people said is") {
  const Scratch scratch;
  const auto row = [](const std::string& label, int i) {
    const std::string proposed = i % 3 == 0 ? "긍정" : "부정";
    return "{\"text\": \"" + std::to_string(i) + "번 영화 이야기\", " + label +
           "\"sentiment-suggestion\": \"" + proposed + "\", \"x.suggestion\": \"" + proposed +
           "\"}\n";
  };
  const auto learnt = [&](const std::function<std::string(const std::string&)>& label) {
    std::string lines;
    for (int i = 0; i < 60; ++i) lines += row(label(i % 2 == 0 ? "긍정" : "부정"), i);
    const Survey found = looked_at(scratch, "a.jsonl", lines);
    CHECK(found.labels.size() == 2);
    return found.source.columns.label;
  };
  CHECK(learnt([](const std::string& one) {
          return "\"x.responses\": [\"" + one + "\"], \"x.responses.status\": [\"submitted\"], ";
        }) == "x.responses");
  CHECK(learnt([](const std::string& one) {
          return "\"sentiment\": [{\"user_id\": \"u\", \"value\": \"" + one + "\"}], ";
        }) == "sentiment.value");
  CHECK(learnt([](const std::string& one) {
          return "\"annotation\": \"" + one + "\", \"multi_label\": false, ";
        }) == "annotation");
}

}  // namespace minibert
