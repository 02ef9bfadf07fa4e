// Links: what goes into the address comes out of it, and a bad address does no harm.
#include "state/settings.h"

#include <catch2/catch.hpp>

using namespace minibert::page;

TEST_CASE("a link reproduces sentence and settings") {
  Settings settings;
  settings.text = "그는 100% [MASK]&=#+ \"말\"했다 😀";
  settings.model = "mini-1m";
  settings.compare = "mini-1m-float";
  settings.language = Language::english;
  settings.theme = Theme::dark;
  settings.view = View::timing;
  settings.top = 20;
  settings.exercises = {"나는 [MASK].", "둘&셋"};
  settings.words = true;
  settings.lesson = true;
  settings.layer = 3;
  settings.head = 2;
  const std::string fragment = to_fragment(settings);
  CHECK(fragment.find(' ') == std::string::npos);
  CHECK(from_fragment("#" + fragment, Settings()) == settings);
}

TEST_CASE("a link reproduces a question and its text, and says nothing of them elsewhere") {
  Settings settings;
  settings.text = "나는 [MASK].";
  settings.question = "누구인가? & 왜";
  settings.text_asked = "세종 = 왕";
  CHECK(to_fragment(settings).find("&q=") == std::string::npos);
  settings.task = Task::ask;
  settings.answer_model = "korquad-1m";
  CHECK(from_fragment(to_fragment(settings), Settings()) == settings);
  CHECK(from_fragment("t=a", settings).task == Task::fill);
}

TEST_CASE("a link reproduces the text of every task, with its model") {
  Settings settings;
  settings.task = Task::label;
  settings.review = "재미 & 감동 = 0";
  settings.label_model = "nsmc-1m";
  CHECK(to_fragment(settings).find("&n=") == std::string::npos);
  CHECK(from_fragment(to_fragment(settings), Settings()) == settings);
  settings = Settings();
  settings.task = Task::name;
  settings.named = "세종은 서울에 #1";
  settings.name_model = "klue-ner-1m";
  CHECK(to_fragment(settings).find("&r=") == std::string::npos);
  CHECK(from_fragment(to_fragment(settings), Settings()) == settings);
  settings.model_of(Task::label) = "other";
  CHECK(settings.label_model == "other");
  CHECK(from_fragment("task=masks&task=x", Settings()).task == Task::fill);
}

TEST_CASE("what a link does not say keeps its default") {
  Settings defaults;
  defaults.text = "기본";
  defaults.theme = Theme::dark;
  CHECK(from_fragment("", defaults) == defaults);
  CHECK(from_fragment("#", defaults) == defaults);
  CHECK(from_fragment("#t=%EA%B0%80", defaults).text == "가");
  CHECK(from_fragment("#t=%EA%B0%80", defaults).theme == Theme::dark);
}

TEST_CASE("a link that leaves a lesson out ends it") {
  Settings lesson;
  lesson.exercises = {"나는 [MASK]."};
  lesson.lesson = lesson.words = true;
  lesson.top = 50;
  CHECK(from_fragment("#t=&x=%EA%B0%80", lesson).exercises == std::vector<std::string>{"가"});
  CHECK(from_fragment("#t=", lesson) == from_fragment("#t=", Settings()));
  std::string many;
  for (size_t i = 0; i < 2 * kMostExercises; ++i) many += "&x=a";
  CHECK(from_fragment(many, Settings()).exercises.size() == kMostExercises);
}

TEST_CASE("malformed links are ignored piece by piece") {
  const Settings defaults;
  for (const char* bad :
       {"#t=%",      "#t=%G0",     "#t=%FF",    "#t=%ED%A0%80", "#k=7",    "#k=",   "#words=2",
        "#layer=-1", "#layer=1e3", "#layer=96", "#head=-2",     "#head=x", "#l=fr", "#theme=blue",
        "#v=",       "#unknown=1", "#=",        "#&&&",         "####",    "#t"}) {
    INFO(bad);
    CHECK(from_fragment(bad, defaults) == defaults);
  }
  CHECK(from_fragment("#t=%FF&layer=2", defaults).layer == 2);
  CHECK(from_fragment("#t=" + std::string(9000, 'a'), defaults).text.size() == 9000);
  CHECK(from_fragment("#t=" + std::string(2 << 20, 'a'), defaults) == defaults);
}
