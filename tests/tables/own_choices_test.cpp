// Sheets of multiple-choice questions: how cells hold alternatives, and which of them is right.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "data/own/choice_cells.h"
#include "data/own/columns.h"
#include "data/own/form.h"
#include "data/own/numbered_cells.h"
#include "data/own/own_labelled.h"
#include "data/own/survey.h"
#include "data/tables/read_table.h"
#include "files.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::mistake;
using testing::Scratch;
using testing::source_of;
using testing::write_bytes;
using Parts = std::vector<std::string>;

// A cell of a column whose other cells are like it.
NumberedCut cut_alone(const std::string& cell) {
  const std::vector<std::string_view> cells = {cell};
  return cut_of(numbered_column(cells), cell);
}

// "#" of a row's text is its number.
std::string sheet(const std::string& header, const std::function<std::string(int)>& row,
                  int rows = 60) {
  std::string out = header.empty() ? "" : header + "\n";
  for (int i = 0; i < rows; ++i) {
    std::string line = row(i);
    for (size_t at; (at = line.find('#')) != std::string::npos;)
      line.replace(at, 1, std::to_string(i));
    out += line + "\n";
  }
  return out;
}

// All rows of a file as they are measured, and what is told of them.
struct ReadSheet {
  std::vector<LabelledExample> rows;
  Parts told;
  bool tells(const std::string& part) const { return testing::has_part(told, part); }
};

ReadSheet read_sheet(const std::string& path, OwnSource source = {}) {
  source.test = {path};
  ReadSheet out;
  out.rows =
      load_own_labelled(source, [&](const std::string& line) { out.told.push_back(line); }).test;
  return out;
}

// A question whose alternatives are Seoul, Busan and Daegu: these cells hold them and the answer.
ReadSheet exam_of(const Scratch& scratch, const std::function<std::string(int)>& alternatives,
                  const std::function<std::string(int)>& answer) {
  write_bytes(scratch / "a.csv", sheet("문제,보기,정답", [&](int i) {
                return "도시는 #?,\"" + alternatives(i) + "\",\"" + answer(i) + "\"";
              }));
  return read_sheet(scratch / "a.csv");
}

std::string circled(int) { return "① 서울# ② 부산# ③ 대구#"; }
std::string counted_answer(int i) { return std::to_string(1 + i % 3); }

std::string right_text(const LabelledExample& row) {
  return row.choices.at(static_cast<size_t>(std::stoi(row.label)) - 1);
}

}  // namespace

TEST_CASE("alternatives that mention the numbers of others are cut at the only chain of numbers") {
  CHECK(cut_alone(" ① 서울\n②부산 ").parts == Parts{"서울", "부산"});
  CHECK(cut_alone("①서울②부산").parts == Parts{"서울", "부산"});
  CHECK(cut_alone("① 서울은 수도이다 ② 부산은 수도이다 ③ ①과 ② 모두 옳다 ④ 모두 틀리다").parts ==
        Parts{"서울은 수도이다", "부산은 수도이다", "①과 ② 모두 옳다", "모두 틀리다"});
  CHECK(cut_alone("① 언다 ② 끓는다 ③ 위의 ②는 옳다 ④ 없다").parts.at(2) == "위의 ②는 옳다");
  CHECK(cut_alone("① ②보다 크다 ② ①보다 크다 ③ 같다").parts ==
        Parts{"②보다 크다", "①보다 크다", "같다"});
  CHECK(cut_alone("① A와 ③은 B ② C ③ D").parts == Parts{"A와 ③은 B", "C", "D"});
  CHECK(cut_alone("(1) f(2) (2) f(1) (3) f(3)").parts == Parts{"f(2)", "f(1)", "f(3)"});
  CHECK(cut_alone("(1) 서울 (2) 부산 (3) (1)과 (2) 모두 (4) 대구").parts.at(2) == "(1)과 (2) 모두");
  // A number that no other leads to, or that stands in brackets, is a mention.
  CHECK(cut_alone("① 서울 ② 부산 ③ 문항 ⑤의 답 ④ 대구").parts.size() == 4);
  CHECK(cut_alone("① 서울 ② 부산 ③ ④번 문항과 같다").parts.at(2) == "④번 문항과 같다");
  CHECK(cut_alone("① 서울 ② 부산 (③ 없음)").parts == Parts{"서울", "부산 (③ 없음)"});
  // Several ways: what begins lines counts.
  CHECK(cut_alone("① 서울\n② 위 ③이 아닌 것\n  ③ 대구").parts ==
        Parts{"서울", "위 ③이 아닌 것", "대구"});
}

TEST_CASE("a cell whose numbers cut it in several ways, or none, says which number is wrong") {
  for (const auto& [cell, problem] :
       {std::pair("① 서울 ② 위 ③이 아닌 것 ③ 대구", "③ stands there twice"),
        std::pair("① 서울 ② 부산 ② 대구 ④ 광주", "② stands there twice"),
        std::pair("① 서울 ③ 부산", "② is missing behind ①"),
        std::pair("① 서울", "② is missing behind ①"),
        std::pair("① 서울 ③ 대구 ② 부산 ④ 광주", "③ stands before ②"),
        std::pair("1. 서울 3. 대구 2. 부산", "3. stands before 2."),
        std::pair("① 서울 ② ③ 대구", "nothing stands behind ②"),
        std::pair("① 서울 ② 부산 ③", "nothing stands behind ③"),
        std::pair("가. 나. 다", "nothing stands behind 가."),
        std::pair("서울① 부산② 대구③", "nothing stands behind ③")}) {
    INFO(cell);
    CHECK(cut_alone(cell).parts.empty());
    CHECK(cut_alone(cell).problem == problem);
  }
  for (const char* cell : {"② 서울 ① 부산", "서울|부산", "1.5배", "가나다", ""}) {
    INFO(cell);
    CHECK(cut_alone(cell).parts.empty());
    CHECK(cut_alone(cell).problem.empty());
  }
  // In a column of alternatives the line and the number are told.
  const Scratch scratch;
  CHECK_THAT(mistake(scratch,
                     [&] {
                       exam_of(
                           scratch,
                           [](int i) { return i == 30 ? "① 서울 ② 부산 ② 대구" : circled(i); },
                           counted_answer);
                     }),
             Contains("a.csv:32: found \"① 서울 ② 부산 ② 대구\", where ② stands there twice, "
                      "expected each number once"));
  // So they are where it is wrong in all cells.
  CHECK_THAT(mistake(scratch,
                     [&] {
                       exam_of(
                           scratch, [](int) { return "① 서울# ② 부산 ② 대구"; }, counted_answer);
                     }),
             Contains("a.csv:2: found \"① 서울0 ② 부산 ② 대구\", where ② stands there twice"));
  CHECK_THAT(mistake(scratch,
                     [&] {
                       exam_of(
                           scratch, [](int i) { return i % 3 == 0 ? circled(i) : "서울# 부산"; },
                           counted_answer);
                     }),
             Contains("a.csv:3: found \"서울1 부산\" in \"보기\", expected alternatives behind "
                      "numbers, as in " +
                      scratch / "a.csv:2"));
}

TEST_CASE("alternatives stand behind any of the usual numberings") {
  const Scratch scratch;
  for (const std::string numbers :
       {"①,②,③",       "❶,❷,❸",       "㉠,㉡,㉢",          "⑴,⑵,⑶",
        "㉮,㉯,㉰",    "(1),(2),(3)", "（1）,（2）,（3）", "1),2),3)",
        "1.,2.,3.",    "가.,나.,다.", "가),나),다)",       "(가),(나),(다)",
        "ㄱ.,ㄴ.,ㄷ.", "ㄱ),ㄴ),ㄷ)", "A.,B.,C.",          "A),B),C)",
        "(A),(B),(C)", "a.,b.,c.",    "a),b),c)",          "(a),(b),(c)",
        "①.,②.,③.",    "①),②),③)"}) {
    const size_t first = numbers.find(','), second = numbers.find(',', first + 1);
    const Parts three = {numbers.substr(0, first), numbers.substr(first + 1, second - first - 1),
                         numbers.substr(second + 1)};
    for (const char* between : {" ", "\n"}) {
      INFO(numbers << " between \"" << between << "\"");
      const ReadSheet found = exam_of(
          scratch,
          [&](int) {
            return three[0] + " 서울#" + between + three[1] + " 부산#" + between + three[2] +
                   " 대구#";
          },
          counted_answer);
      REQUIRE(found.rows.size() == 60);
      CHECK(found.rows[1].text == "도시는 1?");
      CHECK(found.rows[1].choices == Parts{"서울1", "부산1", "대구1"});
      CHECK(found.rows[1].label == "2");
      CHECK(found.tells("alternatives: numbered in the cells of \"보기\", 3 in " +
                        scratch / "a.csv:2"));
    }
  }
  // Plain characters are numbers only where a word could begin, and "1." is none in 1.5.
  CHECK(cut_alone("1. 1.5배 2. 2.5배").parts == Parts{"1.5배", "2.5배"});
  CHECK(cut_alone("가. 서울이다. 나. 부산이다.").parts == Parts{"서울이다.", "부산이다."});
  CHECK(cut_alone("(1)서울(2)부산").parts == Parts{"서울", "부산"});
  // Syllables as a Mac writes them.
  CHECK(cut_alone("\u1100\u1161. 서울 \u1102\u1161. 부산").parts == Parts{"서울", "부산"});
}

TEST_CASE("words that stand before the first number of all cells are cut off, and told") {
  const Scratch scratch;
  for (const std::string head : {"[보기] ", "다음 ①~③ 중 고르시오. "}) {
    INFO(head);
    const ReadSheet found = exam_of(
        scratch, [&](int i) { return head + circled(i); }, counted_answer);
    CHECK(found.rows.at(1).choices == Parts{"서울1", "부산1", "대구1"});
    CHECK(found.tells("numbered in the cells of \"보기\" behind \"" +
                      head.substr(0, head.size() - 1) + "\""));
  }
  const ReadSheet some = exam_of(
      scratch, [](int i) { return (i % 5 == 0 ? "" : "[보기]") + circled(i); }, counted_answer);
  CHECK(some.rows.size() == 60);
  CHECK(some.rows.at(1).text == "도시는 1?");
}

TEST_CASE("a separator that ends all alternatives of a cell but the last is none of theirs") {
  CHECK(cut_alone("①방콕, ②서울, ③리마").parts == Parts{"방콕", "서울", "리마"});
  CHECK(cut_alone("① 방콕 / ② 서울").parts == Parts{"방콕", "서울"});
  CHECK(cut_alone("①. 리마, ②. 서울, ③. 도쿄,").parts == Parts{"리마", "서울", "도쿄"});
  CHECK(cut_alone("가) 리마，나) 서울").parts == Parts{"리마", "서울"});
  for (const char* separator : {";", "|", "·", "，"})
    CHECK(cut_alone("1. 가" + std::string(separator) + " 2. 나").parts == Parts{"가", "나"});
  CHECK(cut_alone("① 서울, 부산 ② 대구, 광주").parts == Parts{"서울, 부산", "대구, 광주"});
  CHECK(cut_alone("① 서울, ② 대구 ③ 광주").parts.front() == "서울,");
  // Answers by text fit.
  const Scratch scratch;
  const ReadSheet found = exam_of(
      scratch, [](int) { return "① 서울#, ② 부산#, ③ 대구#"; }, [](int) { return "부산#"; });
  CHECK(found.rows.at(1).label == "2");
}

TEST_CASE("a question and its alternatives stand in one cell") {
  const Scratch scratch;
  const auto row = [](int i) {
    return "\"물음 ①을 고르면? 수도 #\n① 서울# ② 부산# ③ 대구#\"," + std::string(i % 3 == 0 ? "①"
                                                                                 : i % 3 == 1
                                                                                     ? "②"
                                                                                     : "③");
  };
  for (const std::string header : {"문제,정답", "내용,정답", "question,answer"}) {
    INFO(header);
    write_bytes(scratch / "a.csv", sheet(header, row));
    CHECK(form_of(source_of(scratch / "a.csv")) == OwnForm::labelled);
    const ReadSheet found = read_sheet(scratch / "a.csv");
    REQUIRE(found.rows.size() == 60);
    CHECK(found.rows[1].text == "물음 ①을 고르면? 수도 1");
    CHECK(found.rows[1].choices == Parts{"서울1", "부산1", "대구1"});
    CHECK(found.rows[1].label == "2");
    CHECK(found.tells("behind what is asked, 3 in "));
  }
  // A question may mention more numbers than there are alternatives.
  write_bytes(scratch / "a.csv", sheet("문제,정답", [](int i) {
                return "\"수도 #: 윗글의 ①~⑤ 중 옳은 것은?\n① 서울# ② 부산# ③ 대구#\"," +
                       counted_answer(i);
              }));
  CHECK(read_sheet(scratch / "a.csv").rows.at(1).choices == Parts{"서울1", "부산1", "대구1"});
  // With a passage beside it; a question without alternatives is left out.
  write_bytes(scratch / "b.csv", sheet("지문,문제,정답", [&](int i) {
                return "긴 글 #," + (i == 7 ? "수도를 쓰시오.,서울" : row(i));
              }));
  const Survey found = survey(source_of(scratch / "b.csv"));
  CHECK(described(found.source.columns) == "text \"지문 문제\", choices \"문제\", label \"정답\"");
  const ReadSheet again = read_sheet(scratch / "b.csv", found.source);
  CHECK(again.rows.size() == 59);
  CHECK(again.rows.at(1).text == "긴 글 1 물음 ①을 고르면? 수도 1");
  CHECK(again.tells("1 row has not the 3 alternatives that most have: left out (the first is " +
                    scratch / "b.csv:16: no numbered alternatives stand there)"));
  // Answers that are none of them say that the numbers mean something else.
  write_bytes(scratch / "c.csv", sheet("글,답", [](int i) {
                return "\"할 일 #: ① 씻기 ② 먹기\"," + std::string(i % 2 == 0 ? "좋음" : "나쁨");
              }));
  CHECK(answered_column(read_table(scratch / "c.csv")).empty());
  // A column of alternatives alone needs no usual name, either.
  write_bytes(scratch / "d.csv", sheet("문제,고를 것,정답", [](int i) {
                return "도시는 #?," + circled(i) + "," + counted_answer(i);
              }));
  CHECK(described(find_columns(read_table(scratch / "d.csv"), {})) ==
        "text \"문제\", choices \"고를 것\", label \"정답\"");
}

TEST_CASE("an answer is a number in any of the usual writings, or the text") {
  const Scratch scratch;
  for (const std::string way :
       {"@", "(@)", "@번", "@ 번", "정답: @", "정답 @", "답 @번", "@)", "@.", "@.0"}) {
    INFO(way);
    const ReadSheet found = exam_of(scratch, circled, [&](int i) {
      std::string answer = way;
      return answer.replace(answer.find('@'), 1, counted_answer(i));
    });
    CHECK(found.rows.at(1).label == "2");
    CHECK(found.rows.at(2).label == "3");
    CHECK(found.tells("answers: numbers of alternatives, counted from 1"));
    CHECK_FALSE(found.tells("a guess"));
  }
  for (const char* answer :
       {"[0, 1, 0]", "[False, True, False]", "②", "②번", "❷", "⑵", "B", "b", "(B)", "정답: ②",
        "② 부산#", "②. 부산#", "2번 부산#", "부산#", "정답: 부산#"}) {
    INFO(answer);
    CHECK(exam_of(scratch, circled, [&](int i) { return i % 2 == 0 ? std::string("1") : answer; })
              .rows.at(1)
              .label == "2");
  }
  const auto numbered = [&](const char* cell, const char* answer) {
    return exam_of(
               scratch, [&](int) { return cell; }, [&](int i) { return i % 2 == 0 ? "1" : answer; })
        .rows.at(1)
        .label;
  };
  CHECK(numbered("㉠ 서울# ㉡ 부산# ㉢ 대구#", "㉢") == "3");
  CHECK(numbered("가. 서울# 나. 부산# 다. 대구#", "다") == "3");
  CHECK(numbered("(가) 서울# (나) 부산# (다) 대구#", "(다)") == "3");
  CHECK(numbered("ㄱ. 서울# ㄴ. 부산# ㄷ. 대구#", "ㄷ") == "3");
  // One column mixes them.
  const ReadSheet mixed = exam_of(scratch, circled, [](int i) {
    constexpr const char* kWays[] = {"②", "2", "2번", "부산#", "정답 2", "B"};
    return kWays[i % 6];
  });
  CHECK(
      std::ranges::all_of(mixed.rows, [](const LabelledExample& row) { return row.label == "2"; }));
  CHECK(mixed.tells("counted from 1"));
  CHECK(mixed.tells(", and in 10 rows the text"));
  // Only plain digits are counted from 0, and where neither end is among them that is a guess.
  const ReadSheet zero = exam_of(scratch, circled, [](int i) {
    return i % 3 == 0 ? "0" : i % 3 == 1 ? "1" : "③";
  });
  CHECK(zero.rows.at(1).label == "2");
  CHECK(zero.rows.at(2).label == "3");
  const ReadSheet guess =
      exam_of(scratch, circled, [](int i) { return std::to_string(1 + i % 2); });
  CHECK(
      guess.tells("counted from 1 (a guess: neither 0 nor the number of the last is among them)"));
}

TEST_CASE(
    "an answer that names no alternative, or several, is told with its line and the writings") {
  const Scratch scratch;
  const std::string expected =
      "\", expected 1 to 3 (also ③, (3), 3번, C) or the text of an alternative, one alone";
  for (const std::string answer :
       {"①, ③", "1,3", "모두 정답", "④", "4", "② 서울", "2번지", "㉢", "다", "부산이다"}) {
    INFO(answer);
    CHECK_THAT(mistake(scratch,
                       [&] {
                         exam_of(scratch, circled,
                                 [&](int i) { return i == 30 ? answer : counted_answer(i); });
                       }),
               Contains("a.csv:32: found the answer \"" + answer + expected));
  }
  // Where alternatives are numbers themselves a column is of one kind.
  const auto sums = [&](const std::function<std::string(int)>& answer) {
    return exam_of(
        scratch, [](int) { return "① 2 ② 13 ③ 4#"; }, answer);
  };
  CHECK(sums([](int) { return "②"; }).rows.at(0).label == "2");
  CHECK(sums([](int) { return "13"; }).rows.at(0).label == "2");
  CHECK_THAT(
      mistake(scratch, [&] { sums([](int i) { return i == 9   ? "②"
                                                     : i == 8 ? "2"
                                                              : "13"; }); }),
      Contains("a.csv:11: found the answer \"②\", expected the text of an alternative, one "
               "alone; alternatives are numbers here"));
}

TEST_CASE("a row without an answer or with another number of alternatives is left out and told") {
  const Scratch scratch;
  const ReadSheet found = exam_of(
      scratch,
      [](int i) {
        return i == 3   ? "① 참 ② 거짓"
               : i == 4 ? "① 서울 ② 부산 ③ 대구 ④ 광주"
               : i == 5 ? "① 서울 ② ③ 대구"
                        : circled(i);
      },
      [](int i) { return i == 6 ? "" : counted_answer(i); });
  CHECK(found.rows.size() == 56);
  CHECK(found.tells("3 rows have not the 3 alternatives that most have: left out (the first is " +
                    scratch / "a.csv:5: 2 of them)"));
  CHECK(found.tells("1 row has an empty text or label: left out (the first is " +
                    scratch / "a.csv:8)"));
  CHECK_THAT(mistake(scratch,
                     [&] {
                       exam_of(
                           scratch, [](int) { return "방콕# ① 서울# ② 부산# ③"; }, counted_answer);
                     }),
             Contains("a.csv: found no row with alternatives (the first is ") &&
                 Contains("a.csv:2: nothing stands behind ③), expected some"));
}

TEST_CASE("alternatives of an object of JSON, or with numbers in a list or columns, are read") {
  const Scratch scratch;
  const auto of_object = [&](const std::string& key, const Parts& names, const std::string& right) {
    write_bytes(scratch / "a.jsonl", sheet("", [&](int) {
                  return "{\"문제\": \"도시는 #?\", \"" + key + "\": {\"" + names[0] +
                         "\": \"서울#\", \"" + names[1] + "\": \"부산#\"}, \"정답\": " + right +
                         "}";
                }));
    return read_sheet(scratch / "a.jsonl").rows.at(1);
  };
  for (const LabelledExample& row :
       {of_object("options", {"A", "B"}, "\"B\""), of_object("선택지", {"1", "2"}, "2"),
        of_object("choices", {"a", "b"}, "\"부산#\"")}) {
    CHECK(row.text == "도시는 1?");
    CHECK(row.choices == Parts{"서울1", "부산1"});
    CHECK(row.label == "2");
  }
  write_bytes(scratch / "b.jsonl", sheet("", [](int) {
                return R"({"문제": "도시는 #?", "보기": ["① 서울#", "② 부산#"], "정답": "②"})";
              }));
  CHECK(read_sheet(scratch / "b.jsonl").rows.at(1).choices == Parts{"서울1", "부산1"});
  write_bytes(scratch / "c.csv", sheet("문제,보기1,보기2,정답",
                                       [](int) { return "도시는 #?,가. 서울#,나. 부산#,나"; }));
  const LabelledExample third = read_sheet(scratch / "c.csv").rows.at(1);
  CHECK(third.choices == Parts{"서울1", "부산1"});
  CHECK(third.label == "2");
}

TEST_CASE("alternatives are objects with a label each, or lists beside a list of labels") {
  const Scratch scratch;
  const auto read_as = [&](const std::string& name, const std::string& bytes) {
    write_bytes(scratch / name, bytes);
    return read_sheet(scratch / name, survey(source_of(scratch / name)).source).rows.at(1);
  };
  const std::string objects =
      R"([{"label": "A", "text": "서울#"}, {"label": "B", "text": "부산#"}])";
  for (const LabelledExample& row :
       {read_as("a.jsonl", sheet("",
                                 [&](int) {
                                   return R"({"stem": "도시는 #?", "choices": )" + objects +
                                          R"(, "answerKey": "B"})";
                                 })),
        read_as("b.jsonl", sheet("",
                                 [&](int) {
                                   return R"({"answerKey": "B", "question": {"choices": )" +
                                          objects + R"(, "stem": "도시는 #?"}})";
                                 })),
        read_as("c.csv", sheet("question,choices,answerKey",
                               [](int) {
                                 return "도시는 #?,\"{'text': array(['서울#', '부산#'], "
                                        "dtype=object), 'label': array(['A', 'B'])}\",B";
                               })),
        // As NumPy prints a list.
        read_as("d.csv", sheet("question,choices,answer",
                               [](int) { return "도시는 #?,['서울#' '부산#'],2"; }))}) {
    CHECK(row.text == "도시는 1?");
    CHECK(row.choices == Parts{"서울1", "부산1"});
    CHECK(row.label == "2");
  }
  CHECK_THAT(mistake(scratch,
                     [&] {
                       read_as("e.jsonl", sheet("", [](int) {
                                 return R"({"stem": "도시는 #?", "answer": "B", "choices":)"
                                        R"([{"label": "B", "text": "서울#"},)"
                                        R"({"label": "A", "text": "부산#"}]})";
                               }));
                     }),
             Contains("labelled B, A, expected labels that count all alternatives, as A, B, C"));
}

TEST_CASE("columns 1 and 2 of yes and no leave alternatives A and B to be found") {
  const Scratch scratch;
  write_bytes(scratch / "a.csv", sheet("문제,1,2,A,B,정답", [](int i) {
                return "도시는 #?,1,0,서울#,부산#," + std::string(i % 2 == 0 ? "A" : "B");
              }));
  CHECK(choice_columns(read_table(scratch / "a.csv", {})) == Parts{"A", "B"});
}

TEST_CASE("a premise or article stands before what is asked, and other texts are told as unread") {
  const Scratch scratch;
  const auto looked_at = [&](const std::string& header, const std::string& before) {
    return testing::looked_at(scratch, "a.csv", sheet(header, [&](int i) {
                                return before + "도시는 #?,서울#,부산#," +
                                       std::to_string(1 + i % 2);
                              }));
  };
  CHECK(looked_at("premise,question,choice1,choice2,label", "비가 온다 #,").source.columns.text ==
        Parts{"premise", "question"});
  CHECK(looked_at("article,question,choice1,choice2,label", "비가 온다 #,").source.columns.text ==
        Parts{"article", "question"});
  const Survey other = looked_at("해설,question,choice1,choice2,label", "비가 온다 #,");
  CHECK(other.source.columns.text == Parts{"question"});
  CHECK(testing::has_part(other, "note: not read: 해설; a list under \"text\" joins several"));
}

TEST_CASE("a row whose passage is empty is read without it, and told") {
  const Scratch scratch;
  const auto exam = [](int i) {
    return (i % 3 == 0 ? "지문 #," : ",") + std::string(i == 5 ? "" : "도시는 #?") +
           ",서울#,부산#," + std::to_string(1 + i % 2);
  };
  write_bytes(scratch / "a.csv", sheet("지문,문제,보기1,보기2,정답", exam));
  const ReadSheet read = read_sheet(scratch / "a.csv");
  CHECK(read.rows.size() == 59);
  CHECK(read.rows.at(0).text == "지문 0 도시는 0?");
  CHECK(read.rows.at(1).text == "도시는 1?");
  CHECK(read.tells("39 rows have an empty \"지문\", and are read without it (the first is " +
                   scratch / "a.csv" + ":3); a spreadsheet writes a merged cell's value"));
  CHECK(read.tells("1 row has an empty text or label: left out (the first is " + scratch / "a.csv" +
                   ":7)"));
}

TEST_CASE("a column 답지 holds alternatives, and beside 선택지 보기 holds none") {
  const Scratch scratch;
  write_bytes(scratch / "a.csv", sheet("발문,답지,모범답안", [](int i) {
                return "도시는 #?," + circled(i) + "," + counted_answer(i) + "번";
              }));
  CHECK(described(find_columns(read_table(scratch / "a.csv"), {})) ==
        "text \"발문\", choices \"답지\", label \"모범답안\"");
  write_bytes(scratch / "b.csv", sheet("문제,보기,선택지,정답", [](int i) {
                return "옳은 것은 #?,ㄱ. 해가 뜬다# ㄴ. 달이 뜬다#,① ㄱ# ② ㄴ# ③ ㄱ과 ㄴ#," +
                       counted_answer(i);
              }));
  CHECK(find_columns(read_table(scratch / "b.csv"), {}).choices == Parts{"선택지"});
}

TEST_CASE("alternatives in one cell that no numbers part are refused with the way") {
  const Scratch scratch;
  for (const auto& [cell, how] : {std::pair("서울#|부산#|대구#", "between \"|\""),
                                  std::pair("서울#/부산#/대구#", "between \"/\""),
                                  std::pair("서울#;부산#;대구#", "between \";\""),
                                  std::pair("서울#, 부산#, 대구#", "between \",\""),
                                  std::pair("서울#\n부산#\n대구#", "on lines of their own")})
    // Beside a text that has its name, too, where they would be left unread.
    for (const char* header : {"문제,보기,정답", "문장,선택지,정답"}) {
      INFO(cell << " below " << header);
      write_bytes(scratch / "a.csv", sheet(header, [&](int i) {
                    return "도시는 #?,\"" + std::string(cell) + "\"," + counted_answer(i);
                  }));
      CHECK_THAT(
          mistake(scratch, [&] { survey(source_of(scratch / "a.csv")); }),
          Contains("a.csv:2: found alternatives " + std::string(how) + " in one cell of \"") &&
              Contains("expected a column for each (보기1, 보기2, …)"));
    }
  OwnSource named;
  named.columns.choices = {"선택지"};
  write_bytes(scratch / "b.csv", sheet("문장,선택지,정답", [](int i) {
                return "도시는 #?,서울#|부산#|대구#," + counted_answer(i);
              }));
  CHECK_THAT(mistake(scratch, [&] { read_sheet(scratch / "b.csv", named); }),
             Contains("b.csv:2: found \"서울0|부산0|대구0\", expected alternatives as a list"));
}

TEST_CASE("questions that stand twice are told by their alternatives and the right one's text") {
  const Scratch scratch;
  // The same words ask for other alternatives; the same alternatives stand in another order.
  write_bytes(scratch / "a.csv", sheet("문제,보기1,보기2,정답", [](int i) {
                if (i == 0) return std::string("같은 물음?,서울,부산,1");
                if (i == 1) return std::string("같은 물음?,부산,서울,2");
                if (i == 2) return std::string("같은 물음?,대구,광주,2");
                if (i == 3) return std::string("또 물음?,대구,광주,2");
                if (i == 4) return std::string("또 물음?,대구,광주,1");
                return "도시는 #?,서울#,부산#," + std::to_string(1 + i % 2);
              }));
  const Survey found = survey(source_of(scratch / "a.csv"));
  CHECK(found.repeated == 2);
  CHECK(found.contradictory == 1);
  const ReadSheet read = read_sheet(scratch / "a.csv");
  CHECK(right_text(read.rows.at(0)) == right_text(read.rows.at(1)));
}

}  // namespace minibert
