// Numbers with units, amounts, stars and times as people write them, and what is told where they are not read.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>

#include "data/own/columns.h"
#include "data/own/label_cells.h"
#include "data/own/own_labelled.h"
#include "data/own/resolve_own.h"
#include "data/own/survey.h"
#include "data/own/written_numbers.h"
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
using Written = std::vector<std::string_view>;

// A header and sixty rows of a text and what `cell` says, in quotes.
std::string sixty_with(const std::string& header, const std::function<std::string(int)>& cell) {
  std::string out = header + "\n";
  for (int i = 0; i < 60; ++i) out += "말 번호 " + std::to_string(i) + ",\"" + cell(i) + "\"\n";
  return out;
}

// One of these a row, in turn.
std::function<std::string(int)> in_turn(std::vector<std::string> cells) {
  return [cells = std::move(cells)](int i) { return cells[static_cast<size_t>(i) % cells.size()]; };
}

// The labels of all rows as they are read, by their order in the file.
std::vector<std::string> labels_read(const Survey& found) {
  OwnSource source = found.source;
  source.test = std::exchange(source.train, {});
  std::vector<std::string> out;
  for (const LabelledExample& one : load_own_labelled(source, [](const std::string&) {}).test)
    out.push_back(one.label);
  return out;
}

}  // namespace

TEST_CASE("any unit that all cells share is read, behind the number or as a currency before it") {
  const auto way = [](const Written& cells) { return way_of_numbers(cells); };
  CHECK(way({"24.5℃", "-5.5 ℃"}) == "#℃");
  CHECK(way({"22.0억", "9.9억"}) == "#억");
  CHECK(way({"220,000만원", "99,000 만 원"}) == "#만원");
  CHECK(way({"₩2,200,000,000", "₩990"}) == "₩#");
  CHECK(way({"$1,200", "$5.50"}) == "$#");
  CHECK(way({"50분", "12분"}) == "#분");
  CHECK(way({"4.5/5", "5/5"}) == "#/5");
  CHECK(way({"8/10점", "10/10점"}) == "#/10점");
  CHECK(way({"84.9m2", "59m2"}) == "#m2");
  CHECK(number_written("99,000 만 원", "#만원") == "99000");
  CHECK(number_written("-₩2,200", "₩#") == "-2200");
  CHECK(number_written("5/5", "#/5") == "5");
  // What holds another number is no unit, and neither is what differs.
  for (const Written& cells :
       {Written{"3,000/32", "4,000/48"}, Written{"08:30", "09:30"}, Written{"1-2", "2-2"},
        Written{"2024-01-01", "2024-01-02"}, Written{"3~4점", "4~4점"}, Written{"5명", "3개"},
        Written{"3월 1일", "3월 2일"}, Written{"5 만족", "4 불만"}})
    CHECK_FALSE(way(cells));
  CHECK(is_way_of_numbers("₩#", "#"));
  CHECK_FALSE(is_way_of_numbers("C#", "#"));
}

TEST_CASE("amounts of 억, 만 and 천 are one number in ones, also where 만 is left out behind 억") {
  const auto way = [](const Written& cells) { return way_of_numbers(cells); };
  CHECK(way({"15억 9,000만원", "19억"}) == "#억 #만원");
  CHECK(way({"220,000만원", "12.0억"}) == "#억 #만원");
  CHECK(way({"22억", "19억 4000"}) == "#억 #");
  CHECK(way({"3만원", "500원"}) == "#만 #원");
  for (const auto& [cell, number] :
       {std::pair("15억 9,000만원", "1590000000"), std::pair("19억", "1900000000"),
        std::pair("4,500만원", "45000000"), std::pair("2.35123억", "235123000"),
        std::pair("19억 4000", "1940000000"), std::pair("3억 5천", "350000000"),
        std::pair("22억 5000원", "2200005000"), std::pair("3만 5천", "35000"),
        std::pair("3천5백만원", "35000000"), std::pair("1조 2000", "1200000000000"),
        std::pair("-3억 5,000만", "-350000000"), std::pair("500원", "500"), std::pair("0", "0")}) {
    INFO(cell);
    CHECK(number_written(cell, "#억 #만원") == number);
  }
  // What may be meant otherwise is none.
  for (const char* cell : {"3억쯤", "약 3억", "5000", "3억 5천원", "22억 50000", "15억 9000만 5억",
                           "1억 2000만명", "3억 5천 5천"}) {
    INFO(cell);
    CHECK_FALSE(number_written(cell, "#억 #만원"));
  }
}

TEST_CASE("hours and minutes, and years and months, are counted in the smaller") {
  CHECK(way_of_numbers(Written{"50분", "1시간 12분"}) == "#시간 #분");
  CHECK(number_written("1시간 12분", "#시간 #분") == "72");
  CHECK(number_written("1.5시간", "#시간 #분") == "90");
  CHECK(number_written("30초", "#시간 #분") == "0.5");
  CHECK_FALSE(number_written("1시간 72분", "#시간 #분"));
  CHECK(way_of_numbers(Written{"2년 3개월", "1년"}) == "#년 #개월");
  CHECK(number_written("2년 3개월", "#년 #개월") == "27");
}

TEST_CASE("prices with a unit are found and learnt as numbers, and what they are read as is told") {
  const Scratch scratch;
  const Survey amounts = looked_at(
      scratch, "a.csv",
      sixty_with(
          "설명,거래가",
          [](int i) { return std::to_string(1 + i) + "억" + (i % 3 == 0 ? "" : " 9,000만원"); }),
      LabelsAs::scores);
  CHECK(amounts.scores);
  CHECK(amounts.source.labels == LabelNames{{"#억 #만원", "#"}});
  CHECK(has_part(amounts, scratch / "a.csv" +
                              ": \"거래가\": 억, 만 counted as 원: \"2억 9,000만원\" is 290000000 "
                              "(labels: {\"#억 #만원\":\"#\"})"));
  CHECK(labels_read(amounts).at(0) == "100000000");
  CHECK(labels_read(amounts).at(1) == "290000000");
  CHECK(resolve_own(amounts.source).set.table->labels.empty());
  const Survey won =
      looked_at(scratch, "a.csv",
                sixty_with("설명,가격", [](int i) { return "₩" + std::to_string(i + 1) + ",200"; }),
                LabelsAs::scores);
  CHECK(described(won.source.columns) == "text \"설명\", label \"가격\"");
  CHECK(labels_read(won).at(59) == "60200");
  const Survey stars =
      looked_at(scratch, "a.csv", sixty_with("후기,별점", in_turn({"★★★★☆", "★★☆☆☆", "★★★★★"})),
                LabelsAs::scores);
  CHECK(stars.source.labels == LabelNames{{"★", "#"}});
  CHECK(labels_read(stars).at(0) == "4");
  CHECK(has_part(stars, "{\"★\":\"#\"} (★ are counted"));
  // A unit that tells which is no number to learn, unless it is named.
  std::string groups = "글,모둠,값\n";
  for (int i = 0; i < 60; ++i)
    groups += "말 " + std::to_string(i) + "," + std::to_string(i % 6) + "모둠," +
              std::to_string(10 + i) + "분\n";
  CHECK(looked_at(scratch, "a.csv", groups, LabelsAs::scores).source.columns.label == "값");
}

TEST_CASE("a file to measure on whose numbers lack the unit of those in training is told") {
  const Scratch scratch;
  const auto number = [](int i) { return std::to_string(i + 1); };
  const auto in_unit = [&](int i) { return number(i) + "만원"; };
  const Survey trained =
      looked_at(scratch, "a.csv", sixty_with("설명,가격", in_unit), LabelsAs::scores);
  const auto measured = [&](const std::function<std::string(int)>& cell) {
    write_bytes(scratch / "b.csv", sixty_with("설명,가격", cell));
    OwnSource source = trained.source;
    source.train.clear();
    source.test = {scratch / "b.csv"};
    std::vector<std::string> told;
    load_own_labelled(source, [&](const std::string& line) { told.push_back(line); });
    return told;
  };
  const std::string note = "b.csv: no label has the unit that \"labels\" names (#만원)";
  CHECK(has_part(measured(number), note));
  CHECK_FALSE(has_part(measured(in_unit), note));
  CHECK_FALSE(has_part(measured([&](int i) { return i % 2 == 0 ? number(i) : in_unit(i); }), note));
}

TEST_CASE("labels that are no numbers are refused with their line and with what reads the others") {
  const Scratch scratch;
  const auto refused = [&](const std::function<std::string(int)>& cell) {
    return mistake(scratch, [&] {
      looked_at(scratch, "a.csv", sixty_with("설명,점수", cell), LabelsAs::scores);
    });
  };
  CHECK(refused([](int i) { return i == 30 ? "3억쯤" : std::to_string(i) + "억"; }) ==
        "a.csv:32: found the label \"3억쯤\", expected numbers for regression (so in 1 of 60 "
        "rows); --column 'labels={\"#억\":\"#\",\"3억쯤\":\"\"}' reads the others, and leaves out "
        "what has no name");
  CHECK_THAT(refused([](int i) { return i % 2 == 0 ? "85점" : "90"; }),
             Contains("--column 'labels={\"#점\":\"#\"}' reads them all"));
  CHECK_THAT(
      refused([](int i) { return std::to_string(i) + ",000/" + std::to_string(i); }),
      Contains("a.csv:2: found the label \"0,000/0\", expected numbers for regression (so in "
               "60 of 60 rows); a cell is read that holds one number") &&
          Contains("--column 'labels={\"#만원\":\"#\"}' names another unit"));
  CHECK_THAT(refused(in_turn({"3등급", "4단계"})), Contains("\"3등급\":\"3\",\"4단계\":\"4\""));
  // The proposal does what it says.
  write_bytes(scratch / "a.csv", sixty_with("설명,점수", [](int i) {
                return i == 30 ? "3억쯤" : std::to_string(i) + "억";
              }));
  OwnSource named = source_of(scratch / "a.csv");
  named.labels = {{"#억", "#"}, {"3억쯤", ""}};
  CHECK(survey(named, LabelsAs::scores).scores);
}

TEST_CASE(
    "scores that are learnt as names are told, as fractions and stars too; ordinals are none") {
  const Scratch scratch;
  for (const std::vector<std::string>& labels :
       std::vector<std::vector<std::string>>{{"4.5/5", "5/5", "3/5"},
                                             {"8/10점", "9/10점", "3/10점"},
                                             {"★★★★☆", "★★★☆☆", "★☆☆☆☆"},
                                             {"★★★★", "★★★", "★"},
                                             {"3등급", "4등급", "1등급"},
                                             {"2억 5,000만", "3억", "9,000만"}}) {
    INFO(labels.front());
    const Survey found = looked_at(scratch, "a.csv", sixty_with("후기,평가", in_turn(labels)));
    CHECK_FALSE(found.scores);
    CHECK(has_part(found, "--task regression learns them as numbers"));
    CHECK_FALSE(has_part(found, "look joined"));
    CHECK(looked_at(scratch, "a.csv", sixty_with("후기,평가", in_turn(labels)), LabelsAs::scores)
              .scores);
  }
  for (const std::vector<std::string>& labels : std::vector<std::vector<std::string>>{
           {"1학년", "2학년", "3학년"}, {"3D", "4K", "5G"}, {"1/2", "1/3", "2/3", "1", "2", "3"}})
    CHECK_FALSE(has_part(looked_at(scratch, "a.csv", sixty_with("후기,평가", in_turn(labels))),
                         "regression"));
}

TEST_CASE("a column of days or times of day is no label and no text") {
  const Scratch scratch;
  for (const std::vector<std::string>& cells :
       std::vector<std::vector<std::string>>{{"08:30", "09:00"},
                                             {"08:30:00", "23:05:10"},
                                             {"8일 전", "3시간 전", "어제"},
                                             {"2 days ago", "1 hour ago"},
                                             {"2024-01-01", "2024-01-02"},
                                             {"3월 2일", "3월 3일"}}) {
    INFO(cells.front());
    CHECK_THAT(mistake(scratch,
                       [&] { looked_at(scratch, "a.csv", sixty_with("말,언제", in_turn(cells))); }),
               Contains("a.csv: found no column that could be the label among 말, 언제"));
    CHECK(std::ranges::all_of(
        cells, [](const std::string& cell) { return is_wordless(cell) && is_time(cell); }));
  }
  for (const char* other : {"3월", "월요일", "12", "4.5", "3시간", "1반", "★★", "50분", "3:1"})
    CHECK_FALSE(is_time(other));
  CHECK(looked_at(scratch, "a.csv", sixty_with("말,언제", in_turn({"3월", "4월"})))
            .source.columns.label == "언제");
}

TEST_CASE("where no label is found, columns of numbers are told with what learns them") {
  const Scratch scratch;
  const std::string told = "; minibert new --task regression learns numbers, as those of ";
  const auto price = [](int i) { return std::to_string(i + 1) + ",500"; };
  CHECK_THAT(mistake(scratch, [&] { looked_at(scratch, "a.csv", sixty_with("설명,가격", price)); }),
             Contains("found no column that could be the label among 설명, 가격") &&
                 Catch::EndsWith(told + "가격"));
  CHECK_THAT(mistake(scratch,
                     [&] {
                       looked_at(scratch, "a.csv", sixty_with("설명,가격", [](int i) {
                                   return std::to_string(i + 1) + ".5억";
                                 }));
                     }),
             Catch::EndsWith(told + "가격"));
  std::string several = "설명,면적,값,층\n";
  for (int i = 0; i < 60; ++i)
    several += "말 " + std::to_string(i) + "," + std::to_string(20 + i % 3) + "," +
               std::to_string(1000 + i * 37) + "," + std::to_string(1 + i % 9) + "\n";
  CHECK_THAT(mistake(scratch, [&] { looked_at(scratch, "a.csv", several); }),
             Contains("found the columns 면적, 층 that could be the label") &&
                 Catch::EndsWith(told + "면적, 값, 층"));
  CHECK_THAT(mistake(scratch, [&] { looked_at(scratch, "a.csv", several, LabelsAs::scores); }),
             Contains("found the columns 면적, 값, 층") && !Contains("regression"));
}

TEST_CASE("labels that all differ are counted in all rows, also in those that are held out") {
  const Scratch scratch;
  const std::string path = scratch / "a.csv";
  // One comes again, and may be held out.
  write_bytes(
      path, sixty_with("설명,점수", [](int i) { return std::to_string(i == 0 ? 10 : i) + ".5℃"; }));
  const std::string told = mistake(scratch, [&] { survey(source_of(path)); });
  CHECK_THAT(told, Contains("a.csv: found 59 different labels in 60 rows") &&
                       Contains("minibert new reads these as numbers with --task regression"));
  CHECK(survey(source_of(path), LabelsAs::scores).scores);
}

TEST_CASE("addresses of people are no text") {
  const Scratch scratch;
  std::string form = "타임스탬프,이메일 주소,좋았던 점은 무엇인가요?,만족하나요?\n";
  for (int i = 0; i < 60; ++i)
    form += "2024/03/25 오전 2:08:19 GMT+9,s" + std::to_string(i) + "@school.kr,말 " +
            std::to_string(i) + (i % 2 == 0 ? ",만족\n" : ",불만족\n");
  CHECK(described(looked_at(scratch, "a.csv", form).source.columns) ==
        "text \"좋았던 점은 무엇인가요?\", label \"만족하나요?\"");
}

TEST_CASE("merged cells are told from half of the rows on, and where a text lacks as many") {
  const Scratch scratch;
  const std::string merged = "unmerge the cells and fill them down";
  std::string labels = "감정,글\n", kinds = "구분,의견\n", groups = "모둠,의견\n";
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    labels += (i % 2 == 0 ? (i % 4 == 0 ? "기쁨" : "슬픔") : "") + (",말 " + n) + "\n";
    kinds += (i % 2 == 0 ? "칭찬" + n : "") + (i % 3 == 0 ? ",좋은 수업" : ",나쁜 수업이다") + "\n";
    groups += (i % 2 == 0 ? n + "모둠" : "") + (i % 3 == 0 ? ",좋음" : ",어려움") + "\n";
  }
  CHECK(has_part(looked_at(scratch, "a.csv", labels), merged));
  const Survey doubted = looked_at(scratch, "a.csv", kinds);
  CHECK(has_part(doubted,
                 "note: \"구분\" is taken for the text and is empty in 30 of 60 rows, and "
                 "\"의견\" in none (--column text=의견)"));
  CHECK(has_part(doubted, merged));
  // Numbers of groups are no text, so that none is found.
  CHECK_THAT(mistake(scratch, [&] { looked_at(scratch, "a.csv", groups); }),
             Contains("found no column that could be the text among 모둠, 의견") &&
                 Contains("; \"모둠\" is empty in 30 of 60 rows; a spreadsheet writes a merged") &&
                 Contains(merged));
}

TEST_CASE("a folder of tables is no folder of labels, and a table among texts is told") {
  const Scratch scratch;
  namespace fs = std::filesystem;
  const auto folder = [&](const std::string& name) {
    for (const char* label : {"가", "나"}) fs::create_directories(scratch / name + "/" + label);
    return scratch / name;
  };
  const std::string tables = folder("d");
  write_bytes(tables + "/가/내 글.csv", "글,라벨\n말,가\n");
  write_bytes(tables + "/나/b.json", "[]");
  CHECK_THAT(mistake(scratch, [&] { survey(source_of(tables)); }),
             Contains("d: found tables, expected a folder of texts for every label; a table is "
                      "looked at alone: minibert new '") &&
                 Catch::EndsWith("/d/가/내 글.csv'"));
  const std::string texts = folder("t");
  for (int i = 0; i < 40; ++i)
    write_bytes(texts + (i % 2 == 0 ? "/가/" : "/나/") + std::to_string(i) + ".txt",
                "말 " + std::to_string(i));
  CHECK_FALSE(has_part(survey(source_of(texts)), "as one text"));
  write_bytes(texts + "/b.csv", "글,라벨\n말,가\n");
  CHECK(has_part(survey(source_of(texts)),
                 "its folders are read as labels, and each file in them as one text"));
}

TEST_CASE("blank rows between sentences of words are none that are left out") {
  const Scratch scratch;
  std::string words = "단어,태그\n";
  for (int i = 0; i < 30; ++i) words += "박" + std::to_string(i) + ",B-PS\n왔다,O\n,\n";
  const Survey found = looked_at(scratch, "a.csv", words);
  CHECK(found.form == OwnForm::tagged);
  CHECK_FALSE(has_part(found, "left out"));
  CHECK(has_part(found, "30 sentences"));
}

}  // namespace minibert
