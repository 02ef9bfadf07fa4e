// Particles and predicates, by examples.
#include "text/korean.h"

#include <catch2/catch.hpp>

#include "core/syllables.h"
#include "core/utf8.h"

namespace minibert {
namespace {

std::string shown(std::u32string_view text) { return to_utf8(text); }

TEST_CASE("a particle is cut off only where it agrees with what stands before it") {
  struct Case {
    std::u32string_view word, stem, particle;
    ParticleKind kind;
  };
  const Case cases[] = {
      {U"학교는", U"학교", U"는", ParticleKind::topic},
      {U"서울은", U"서울", U"은", ParticleKind::topic},
      {U"국가", U"국가", U"", ParticleKind::none},  // 국 would take 이
      {U"학교에서는", U"학교", U"에서는", ParticleKind::other},
      {U"서울로", U"서울", U"로", ParticleKind::other},  // ㄹ takes 로
      {U"부산으로", U"부산", U"으로", ParticleKind::other},
      {U"류블랴나이다", U"류블랴나", U"이다", ParticleKind::copula},
      {U"배우였다", U"배우", U"였다", ParticleKind::copula},
      {U"1945년의", U"1945년", U"의", ParticleKind::of},
      {U"NASA가", U"NASA", U"가", ParticleKind::subject},
      {U"은", U"은", U"", ParticleKind::none},
  };
  for (const Case& one : cases) {
    INFO(shown(one.word));
    const WordParts parts = split_particle(one.word);
    CHECK(shown(parts.stem) == shown(one.stem));
    CHECK(shown(parts.particle) == shown(one.particle));
    CHECK(parts.kind == one.kind);
  }
}

TEST_CASE("jamo that make a syllable are read as that, and all else as it is") {
  struct Case {
    std::u32string_view text, read;
    std::vector<uint32_t> points;
  };
  const Case cases[] = {
      {U"", U"", {0}},
      {U"한a", U"한a", {0, 1, 2}},
      {U"\u1112\u1161\u11AB\u1100\u116E\u11A8", U"한국", {0, 3, 6}},
      {U"\u1112\u1161\u1112\u1175\u11C2.", U"하힣.", {0, 2, 5, 6}},
      {U"하\u11AB", U"한", {0, 2}},           // a syllable with a tail of its own
      {U"한\u11AB", U"한\u11AB", {0, 1, 2}},  // it has one already
      {U"가\u11A7", U"가\u11A7", {0, 1, 2}},  // before the first tail
      {U"\u1112a\u1161", U"\u1112a\u1161", {0, 1, 2, 3}},
      {U"\u1112", U"\u1112", {0, 1}},
      {U"\u1140\u1161", U"\u1140\u1161", {0, 1, 2}},  // ㅿ, of which no syllables are left
      {U"ㅎㅏㄴ", U"ㅎㅏㄴ", {0, 1, 2, 3}},           // they stand for themselves
  };
  for (const Case& one : cases) {
    INFO(shown(one.text));
    std::vector<uint32_t> points;
    CHECK(shown(to_syllables(one.text, &points)) == shown(one.read));
    CHECK(points == one.points);
  }
}

TEST_CASE("a particle takes the form that follows another word") {
  CHECK(agreeing_particle(U"누구", U"은") == U"는");
  CHECK(agreeing_particle(U"무엇", U"를") == U"을");
  CHECK(agreeing_particle(U"서울", U"으로") == U"로");
  CHECK(agreeing_particle(U"어디", U"에서") == U"에서");
  CHECK(agreeing_particle(U"BBC", U"가") == U"가");
}

TEST_CASE("a predicate becomes plain, a question, and a modifier") {
  struct Case {
    std::u32string_view word, plain, question, modifier;
  };
  const Case cases[] = {
      {U"설립하였고", U"설립하였다", U"설립하였는가", U"설립한"},
      {U"되었으며", U"되었다", U"되었는가", U"된"},
      {U"열렸다", U"열렸다", U"열렸는가", U"열린"},
      {U"받았다", U"받았다", U"받았는가", U"받은"},
      {U"만들었다", U"만들었다", U"만들었는가", U"만들었던"},
      {U"있다", U"있다", U"있는가", U"있는"},
      {U"없다", U"없다", U"없는가", U"없는"},
      {U"사용된다", U"사용된다", U"사용되는가", U"사용되는"},
      {U"읽는다", U"읽는다", U"읽는가", U"읽는"},
      {U"높다", U"높다", U"높은가", U"높은"},
      {U"길다", U"길다", U"긴가", U"긴"},
      {U"중요하다", U"중요하다", U"중요한가", U"중요한"},
      {U"도시이며", U"도시이다", U"도시인가", U"도시인"},
      {U"신세다", U"신세다", U"신세인가", U"신세인"},
  };
  for (const Case& one : cases) {
    INFO(shown(one.word));
    const auto plain = plain_predicate(one.word);
    REQUIRE(plain);
    CHECK(shown(*plain) == shown(one.plain));
    CHECK(shown(question_form(*plain).value_or(U"")) == shown(one.question));
    CHECK(shown(modifying_form(*plain).value_or(U"")) == shown(one.modifier));
  }
}

TEST_CASE("what is no predicate stays without a form") {
  CHECK_FALSE(plain_predicate(U"학교"));
  CHECK_FALSE(plain_predicate(U"다"));
  CHECK_FALSE(question_form(U"되었고"));
  CHECK_FALSE(modifying_form(U"A다"));
}

}  // namespace
}  // namespace minibert
