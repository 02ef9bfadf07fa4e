// Which paragraphs are found to stand in evaluation texts.
#include "data/text_overlap.h"

#include <catch2/catch.hpp>

#include "corpus/sample.h"
#include "data/questions/korquad.h"
#include "data/registry.h"
#include "data/splits/evaluation_texts.h"

namespace minibert {
namespace {

const char* const kText =
    "세종은 조선의 제4대 국왕으로, 1443년에 훈민정음을 만들고 1446년에 반포하였다. 이름은 도이다.";

TextOverlap overlap_with(std::initializer_list<std::string> texts) {
  TextOverlap overlap;
  for (const std::string& text : texts) overlap.add(text);
  overlap.finish();
  return overlap;
}

TEST_CASE("a paragraph overlaps when thirty letters in a row stand in an evaluation text") {
  const TextOverlap overlap = overlap_with({kText});
  CHECK(overlap.overlaps(kText));
  CHECK(overlap.overlaps(
      "앞선 문장이다. 제4대 국왕으로, 1443년에 훈민정음을 만들고 1446년에 반포하였다."));
  CHECK_FALSE(overlap.overlaps("세종은 조선의 제4대 국왕으로, 과학을 장려하였다."));
  CHECK_FALSE(overlap.overlaps(""));
}

TEST_CASE("spaces, punctuation and case do not hide a copy") {
  const TextOverlap overlap = overlap_with({kText, "The Quick Brown Fox jumps over the lazy Dog"});
  CHECK(overlap.overlaps(
      "세종은 '조선의 제4 대' 국왕으로 1443년에 [[훈민정음]]을 만들고 1446년에 반포하였다"));
  CHECK(overlap.overlaps("the quick, brown fox JUMPS over the lazy dog."));
}

TEST_CASE("a short text counts only where it is the whole paragraph") {
  const TextOverlap overlap = overlap_with({"참 재미있는 영화였다!"});
  CHECK(overlap.overlaps("참 재미있는 영화였다."));
  CHECK_FALSE(overlap.overlaps("그것은 참 재미있는 영화였다."));
}

TEST_CASE("nothing overlaps an empty set") { CHECK_FALSE(overlap_with({}).overlaps(kText)); }

TEST_CASE("every context of a question answering set is found, also after other text") {
  const Registry registry = Registry::load();
  const testing::Scratch empty;
  const ResolvedData sample = choose(registry, {"sample"}, empty.path());
  TextOverlap overlap;
  add_evaluation_texts(sample, &overlap);
  overlap.finish();
  for (const FileState& file : sample.files) {
    if (!file.path.ends_with(".json")) continue;
    for (const KorquadParagraph& paragraph : read_korquad(file.path).paragraphs)
      CHECK(overlap.overlaps("다른 글. " + paragraph.context));
  }
}

TEST_CASE("test examples that a training text holds at least half of are named") {
  const testing::Scratch scratch;
  const std::string more =
      " 세종의 아들 문종은 아버지를 도와 측우기를 만들었고, 뒤를 이어 즉위한 뒤 두 해 만에 "
      "죽었다고 한다.";
  const std::vector<TestExample> examples = {{"whole", kText},
                                             {"a third", kText + more + more + more},
                                             {"short", "참 재미있다"},
                                             {"other", more}};
  testing::write_bytes(scratch / "text.txt", std::string("세종\n앞 글. ") + kText +
                                                 "\n참, 재미있다!\n\n다른 글\n짧은 문단이다.\n");
  const ExampleOverlap found = find_overlap(examples, {scratch / "text.txt"}, 0.5);
  CHECK(found.examples == 4);
  CHECK(found.ids == std::vector<std::string>{"whole", "short"});
  CHECK(find_overlap(examples, {scratch / "text.txt"}, 0.1).ids ==
        std::vector<std::string>{"whole", "a third", "short"});
}

TEST_CASE("the test examples of questions, tables and tags have the ids of predictions") {
  const Registry registry = Registry::load();
  const testing::Scratch empty;
  const auto of = [&](const std::string& id) {
    return test_examples(choose(registry, {id}, empty.path()));
  };
  const auto questions = of("korquad-v1-dev-split");
  CHECK(questions.size() == 1444);
  CHECK_FALSE(questions.front().text.empty());
  CHECK(of("kobest-copa").front().id == "test-1");
  CHECK(testing::error_of([&] { of("kowiki-small"); }).find("has no test examples") !=
        std::string::npos);
}

TEST_CASE("a data set without evaluation texts is refused") {
  ResolvedData data;
  data.set.id = "text-only";
  data.set.files.push_back({"a.txt", "text", "train", "", 0, ""});
  data.files.emplace_back();
  TextOverlap overlap;
  CHECK(testing::error_of([&] { add_evaluation_texts(data, &overlap); }).find("text-only") !=
        std::string::npos);
}

}  // namespace
}  // namespace minibert
