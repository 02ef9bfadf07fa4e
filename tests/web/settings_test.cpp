// Links: what goes into the address comes out of it, and a bad address does no harm.
#include "state/settings.h"

#include <catch2/catch.hpp>

using namespace minibert::page;

namespace {

// As links that people have kept name the page's tabs: these keys may not change.
constexpr TabLink kLinks[] = {
    {"masks", "", "m", {"t"}},
    {"answers", "ask=1", "a", {"p", "q"}},
    {"labels", "task=labels", "lm", {"r"}},
    {"names", "task=names", "nm", {"n"}},
};
enum { kMasks, kAnswers, kLabels, kNames };

Settings page_settings() {
  Settings settings;
  for (const TabLink& link : kLinks) settings.tabs.push_back({&link, {}, {}});
  return settings;
}

}  // namespace

TEST_CASE("a link reproduces sentence and settings") {
  Settings settings = page_settings();
  settings.tabs[kMasks].texts[0] = "그는 100% [MASK]&=#+ \"말\"했다 😀";
  settings.tabs[kMasks].model = "mini-1m";
  settings.compare = "mini-1m-float";
  settings.language = Language::english;
  settings.theme = Theme::dark;
  settings.view = View::model;
  settings.top = 20;
  settings.exercises = {"나는 [MASK].", "둘&셋"};
  settings.words = true;
  settings.lesson = true;
  const std::string fragment = to_fragment(settings);
  CHECK(fragment.find(' ') == std::string::npos);
  CHECK(from_fragment("#" + fragment, page_settings()) == settings);
}

TEST_CASE(
    "a link reproduces the texts of the chosen tab with its model, and says nothing of others") {
  for (const size_t chosen : {kAnswers, kLabels, kNames}) {
    Settings settings = page_settings();
    settings.tabs[kMasks].texts[0] = "나는 [MASK].";
    settings.tabs[kMasks].model = "mini-1m";
    settings.tabs[chosen].texts[0] = "재미 & 감동 = 0 #1";
    if (chosen == kAnswers) settings.tabs[chosen].texts[1] = "누구인가? & 왜";
    settings.tabs[chosen].model = "other-1m";
    CHECK(to_fragment(settings).find("other-1m") == std::string::npos);
    settings.chosen = chosen;
    CHECK(from_fragment(to_fragment(settings), page_settings()) == settings);
    CHECK(from_fragment("t=a", settings).chosen == kMasks);
  }
}

TEST_CASE("links of earlier versions are read") {
  const auto read = [](std::string_view link) { return from_fragment(link, page_settings()); };
  const Settings asked =
      read("#t=%EA%B0%80&ask=1&q=%EB%82%98&p=%EB%8B%A4&a=korquad-1m&m=mini-1m&c=mini-1m-float");
  CHECK(asked.chosen == kAnswers);
  CHECK(asked.tabs[kMasks].texts[0] == "가");
  CHECK(asked.tabs[kAnswers].texts == std::array<std::string, 2>{"다", "나"});
  CHECK(asked.tabs[kAnswers].model == "korquad-1m");
  CHECK(asked.tabs[kMasks].model == "mini-1m");
  CHECK(asked.compare == "mini-1m-float");
  CHECK(read("t=a&task=labels&r=b&lm=c").tabs[kLabels].texts[0] == "b");
  CHECK(read("t=a&task=labels&r=b&lm=c").tabs[kLabels].model == "c");
  CHECK(read("t=a&task=labels").chosen == kLabels);
  CHECK(read("t=a&task=names&n=b&nm=c").tabs[kNames].texts[0] == "b");
  CHECK(read("t=a&task=names&n=b&nm=c").tabs[kNames].model == "c");
  CHECK(read("t=a&task=names").chosen == kNames);
  CHECK(read("task=masks&task=x&ask=0").chosen == kMasks);
}

TEST_CASE("what a link does not say keeps its default") {
  Settings defaults = page_settings();
  defaults.tabs[kMasks].texts[0] = "기본";
  defaults.theme = Theme::dark;
  CHECK(from_fragment("", defaults) == defaults);
  CHECK(from_fragment("#", defaults) == defaults);
  CHECK(from_fragment("#t=%EA%B0%80", defaults).tabs[kMasks].texts[0] == "가");
  CHECK(from_fragment("#t=%EA%B0%80", defaults).theme == Theme::dark);
}

TEST_CASE("a link reproduces what is chosen in the explanation while that is shown") {
  Settings settings = page_settings();
  settings.explain = {.part = 3, .mask = 1, .head = 2, .own = true, .change = {}};
  CHECK(to_fragment(settings) == to_fragment(page_settings()));
  settings.view = View::explain;
  CHECK(from_fragment(to_fragment(settings), page_settings()) == settings);
}

TEST_CASE("a link reproduces how the model is changed inside, and nothing that is no change") {
  Settings settings = page_settings();
  settings.view = View::explain;
  settings.explain.change = {
      .off = "2,1.3", .other = "대한민국의 [MASK] & 도시", .stage = 0, .at = 120};
  CHECK(from_fragment(to_fragment(settings), page_settings()) == settings);
  CHECK(to_fragment(settings).find("&xoff=2%2C1.3&xother=") != std::string::npos);
  settings.view = View::training;
  settings.share = 50;
  CHECK(from_fragment(to_fragment(settings), page_settings()).share == 50);
  CHECK(from_fragment("v=training&share=1001", page_settings()).share == kWholeTraining);
  for (const char* bad : {"xoff=0", "xoff=1.x", "xat=-2", "xat=10000", "xlayer=a", "xpart=6"}) {
    INFO(bad);
    CHECK(from_fragment(bad, page_settings()).explain.change == ChangeState());
  }
}

TEST_CASE("what a link leaves out is as at first, whatever was shown before") {
  Settings before = page_settings();
  before.compare = "mini-10m";
  before.view = View::explain;
  before.explain.part = 2;
  before.tabs[kMasks].model = "mini-10m";
  CHECK(from_fragment("#t=&l=ko", before) == from_fragment("#t=&l=ko", page_settings()));
}

TEST_CASE("a link that leaves a lesson out ends it") {
  Settings lesson = page_settings();
  lesson.exercises = {"나는 [MASK]."};
  lesson.lesson = lesson.words = true;
  lesson.top = 50;
  CHECK(from_fragment("#t=&x=%EA%B0%80", lesson).exercises == std::vector<std::string>{"가"});
  CHECK(from_fragment("#t=", lesson) == from_fragment("#t=", page_settings()));
  std::string many;
  for (size_t i = 0; i < 2 * kMostExercises; ++i) many += "&x=a";
  CHECK(from_fragment(many, page_settings()).exercises.size() == kMostExercises);
}

TEST_CASE("malformed links are ignored piece by piece") {
  const Settings defaults = page_settings();
  for (const char* bad : {"#t=%", "#t=%G0", "#t=%FF", "#t=%ED%A0%80", "#k=7", "#k=", "#words=2",
                          "#xhead=-2", "#xhead=x", "#xpart=0", "#l=fr", "#theme=blue",
                          "#v=", "#unknown=1", "#=", "#&&&", "####", "#t"}) {
    INFO(bad);
    CHECK(from_fragment(bad, defaults) == defaults);
  }
  CHECK(from_fragment("#t=%FF&xhead=2", defaults).explain.head == 2);
  CHECK(from_fragment("#t=" + std::string(9000, 'a'), defaults).tabs[kMasks].texts[0].size() ==
        9000);
  CHECK(from_fragment("#t=" + std::string(2 << 20, 'a'), defaults) == defaults);
}
