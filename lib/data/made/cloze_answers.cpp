#include "data/made/cloze_answers.h"

#include <algorithm>
#include <optional>

#include "text/korean.h"

namespace minibert {
namespace {

using View = std::u32string_view;

bool is_noun_text(View text) {
  return std::ranges::all_of(text, [](char32_t c) { return is_hangul_syllable(c) || is_digit(c); });
}

// Endings that stems of verbs have: 사용하(는), 발표되(는).
bool looks_verbal(View stem) {
  return is_one_of(stem.back(), U"하되있없않던았었했됐였듯") || stem.ends_with(U"시키") ||
         stem.ends_with(U"적") || stem.ends_with(U"들") || stem.ends_with(U"면서") ||
         stem.ends_with(U"하지") || stem.ends_with(U"되지") || stem.ends_with(U"하기") ||
         stem.ends_with(U"되기") || stem.ends_with(U"이기") || stem.ends_with(U"이라");
}

size_t digits(View text, size_t at = 0) {
  size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

class AnswerFinder {
 public:
  AnswerFinder(const ClozeSentence& sentence, const NounEvidence& nouns, const CommonNouns& common,
               const ClozeTopic& topic)
      : sentence_(sentence), nouns_(nouns), common_(common), topic_(topic) {}

  std::vector<ClozeAnswer> find() {
    for (size_t i = 0; i < sentence_.words.size();) {
      const auto answer = at(i);
      if (answer) answers_.push_back(*answer);
      i = answer ? answer->last + 1 : i + 1;
    }
    std::erase_if(answers_, [&](const ClozeAnswer& a) { return !is_contiguous(a); });
    return answers_;
  }

 private:
  std::optional<ClozeAnswer> at(size_t i) const {
    if (auto answer = date(i)) return answer;
    if (auto answer = number(i)) return answer;
    if (auto answer = title(i)) return answer;
    if (auto answer = person(i)) return answer;
    return noun(i);
  }

  bool is_contiguous(const ClozeAnswer& a) const {
    return sentence_.origin[a.end - 1] - sentence_.origin[a.begin] == a.end - 1 - a.begin;
  }

  // The answer is the first `size` code points of word `last` and all words from `first` on.
  ClozeAnswer make(ClozeKind kind, size_t first, size_t last, size_t size, View particle,
                   View head) const {
    const uint32_t begin = sentence_.words[first].begin;
    const auto end = static_cast<uint32_t>(sentence_.words[last].begin + size);
    return {kind, first, last, begin, end, particle, head};
  }

  bool joined(size_t i) const {  // to word i + 1, without punctuation between
    return i + 1 < sentence_.words.size() &&
           sentence_.words[i].end + 1 == sentence_.words[i + 1].begin;
  }

  // By nothing but a space or a comma before the next word, not by a dash: 2000년 ~ 2001년.
  bool followed_plainly(size_t i) const {
    return i + 1 == sentence_.words.size() || joined(i) ||
           (sentence_.words[i].comma && sentence_.words[i].end + 2 == sentence_.words[i + 1].begin);
  }

  // "1945년 8월 15일", "8월 15일", "1945년", "19세기", "1980년대".
  std::optional<ClozeAnswer> date(size_t i) const {
    constexpr View kSteps[] = {U"년", U"월", U"일"};
    size_t step = 0, last = i, size = 0;
    bool any = false;
    View head = U"날짜";
    for (size_t w = i; step < 3; ++w) {
      const View word = sentence_.word(w);
      const size_t count = digits(word);
      if (count == 0 || count > 4 || count == word.size()) break;
      const View rest = word.substr(count);
      if (!any &&
          ((count <= 2 && rest.starts_with(U"세기")) || (count >= 2 && rest.starts_with(U"년대"))))
        return finish_date(i, i, count + 2, U"시기", 3);
      while (step < 3 && !rest.starts_with(kSteps[step])) {
        if (any) return finish_date(i, last, size, head, step);
        ++step;
      }
      if (step == 3 || (step == 0 && count < 3) || (step == 2 && !any)) break;
      any = true;
      last = w;
      size = count + 1;
      ++step;
      if (word.size() > size || !joined(w)) break;
    }
    if (!any) return std::nullopt;
    return finish_date(i, last, size, head, step);
  }

  std::optional<ClozeAnswer> finish_date(size_t first, size_t last, size_t size, View head,
                                         size_t step) const {
    if (step == 1) head = U"해";
    if (step == 2) head = U"시기";
    if (first > 0 && joined(first - 1) && sentence_.word(first - 1) == U"기원전") --first;
    return ending_in(ClozeKind::date, first, last, size, head);
  }

  // An answer whose last word goes on with a particle or ends.
  std::optional<ClozeAnswer> ending_in(ClozeKind kind, size_t first, size_t last, size_t size,
                                       View head) const {
    const View word = sentence_.word(last);
    const View rest = word.substr(size);
    if (!rest.empty() && split_particle(word).particle != rest) return std::nullopt;
    if (rest.empty() && last + 1 < sentence_.words.size() &&
        (is_vague_after_date(sentence_.word(last + 1)) || !followed_plainly(last)))
      return std::nullopt;
    return make(kind, first, last, size, rest, head);
  }

  // "193개", "100만 명", "2,864m", "7.5%".
  std::optional<ClozeAnswer> number(size_t i) const {
    View word = sentence_.word(i);
    size_t end = 0;
    while (end < word.size() &&
           (is_digit(word[end]) || (end > 0 && is_one_of(word[end], U",.만억천백조여"))))
      ++end;
    if (end == 0 || !is_digit(word[0])) return std::nullopt;
    // 4억 5천만명: the number began before.
    if (i > 0 && joined(i - 1) && is_digit(sentence_.word(i - 1)[0])) return std::nullopt;
    size_t last = i;
    if (end == word.size()) {
      if (!joined(i)) return std::nullopt;
      last = i + 1;
      word = sentence_.word(last);
      end = 0;
    }
    // The unit is the part before the particle, or the whole.
    const WordParts parts = split_particle(word.substr(end));
    for (const View unit : {word.substr(end), parts.stem}) {
      const bool counter = is_counter(unit), measure = is_unit(unit);
      if (!counter && !measure) continue;
      if (unit == U"도" && last == i) continue;  // 3도 is more often the particle's
      return make(counter ? ClozeKind::count : ClozeKind::amount, i, last, end + unit.size(),
                  word.substr(end + unit.size()), counter ? unit : View());
    }
    return std::nullopt;
  }

  std::optional<ClozeAnswer> title(size_t i) const {
    const View word = sentence_.word(i);
    if (!is_one_of(word[0], kOpeningBrackets)) return std::nullopt;
    const size_t close = word.find_first_of(kClosingBrackets);
    if (close == View::npos || close < 3 || close > 25) return std::nullopt;
    const View rest = word.substr(close + 1);
    const WordParts parts = split_particle(word);
    if (!rest.empty() && parts.particle != rest) return std::nullopt;
    View head;
    if (i > 0 && is_work(sentence_.word(i - 1))) head = sentence_.word(i - 1);
    ClozeAnswer answer = make(ClozeKind::title, i, i, close, rest, head);
    ++answer.begin;
    if (!head.empty()) --answer.first;
    return answer;
  }

  // "화가 파블로 피카소가", "이명박 대통령은", and the person that the document is about.
  std::optional<ClozeAnswer> person(size_t i) const {
    if (auto answer = topic_person(i)) return answer;
    const View word = sentence_.word(i);
    if (is_role(word) && joined(i)) return named_behind(i);
    if (is_korean_name(word) && joined(i)) {
      const WordParts next = split_particle(sentence_.word(i + 1));
      const View role = is_role(sentence_.word(i + 1)) ? sentence_.word(i + 1) : next.stem;
      if (is_role(role) && role != U"사람" && role != U"인물") {
        ClozeAnswer answer = make(ClozeKind::person, i, i, word.size(),
                                  sentence_.word(i + 1).substr(role.size()), role);
        answer.last = i + 1;
        return answer;
      }
    }
    const WordParts parts = split_particle(word);
    if (is_noun_particle(parts) && is_korean_name(parts.stem) && nouns_.recurs(parts.stem) &&
        parts.particle != U"에" && parts.particle != U"에서")
      return make(ClozeKind::person, i, i, parts.stem.size(), parts.particle, {});
    return std::nullopt;
  }

  // Returns one to three words behind a role, up to a particle: a Korean name, or a
  // foreign-sounding one.
  std::optional<ClozeAnswer> named_behind(size_t role) const {
    bool foreign = false;
    for (size_t last = role + 1; last < role + 4 && last < sentence_.words.size(); ++last) {
      const View word = sentence_.word(last);
      const WordParts parts = split_particle(word);
      const bool ends = is_noun_particle(parts);
      const View stem = ends ? parts.stem : word;
      if (!is_noun_text(stem) || stem.size() < 2 || is_role(stem) || is_empty_noun(stem) ||
          common_.contains(stem))
        break;
      foreign = foreign || sounds_foreign(stem);
      if (!ends && joined(last)) continue;
      if (!ends || !(foreign || (last == role + 1 && is_korean_name(stem)))) break;
      ClozeAnswer answer = make(ClozeKind::person, role + 1, last, stem.size(), parts.particle,
                                sentence_.word(role));
      answer.first = role;
      return answer;
    }
    return std::nullopt;
  }

  std::optional<ClozeAnswer> topic_person(size_t i) const {
    if (topic_.title.empty() || topic_.title.find(U' ') != std::u32string::npos ||
        !is_role(topic_.head))
      return std::nullopt;
    const WordParts parts = split_particle(sentence_.word(i));
    if (parts.stem != topic_.title || !is_noun_particle(parts)) return std::nullopt;
    return make(ClozeKind::person, i, i, parts.stem.size(), parts.particle, topic_.head);
  }

  // A place or another noun: known by its last syllables, or because it recurs.
  std::optional<ClozeAnswer> noun(size_t i) const {
    const View word = sentence_.word(i);
    const WordParts parts = split_particle(word);
    if (!is_noun_particle(parts) && parts.kind != ParticleKind::copula) return std::nullopt;
    if (!is_noun_text(parts.stem) || is_digit(parts.stem[0]) || parts.stem.size() < 2 ||
        is_empty_noun(parts.stem) || is_role(parts.stem) || is_work(parts.stem))
      return std::nullopt;
    const auto known = noun_class(parts.stem);
    const bool certain = known && parts.kind != ParticleKind::copula;
    if (!certain &&
        (looks_verbal(parts.stem) || !nouns_.recurs(parts.stem) || common_.contains(parts.stem)))
      return std::nullopt;
    if (!certain && parts.stem == topic_.title)
      return make(ClozeKind::thing, i, i, parts.stem.size(), parts.particle, topic_.head);
    size_t first = i;
    if (i > 0 && joined(i - 1) && !is_modifier(sentence_.word(i - 1))) {
      // A compound's last part is no answer: 로마 제국. A name stands behind a common noun (회사 …).
      if (!is_bare_noun(sentence_.word(i - 1))) return std::nullopt;
      if (!common_.contains(sentence_.word(i - 1))) first = i - 1;
    }
    if (certain && first == i)
      return make(known->kind, i, i, parts.stem.size(), parts.particle, known->head);
    return make(ClozeKind::thing, first, i, parts.stem.size(), parts.particle, {});
  }

  bool is_bare_noun(View word) const { return nouns_.recurs(word) && !is_empty_noun(word); }

  // A word that a noun may follow without being one thing with it: it has a particle, ends a clause
  // or modifies (유명한, 있을, 만들어).
  bool is_modifier(View word) const {
    if (is_left_out(word) || !split_particle(word).particle.empty()) return true;
    const char32_t last = word.back();
    if (!is_hangul_syllable(last)) return false;
    const char32_t final = (last - 0xac00) % 28;
    return final == 4 || final == 8 || is_one_of(last, U"게히며고어아여서던");
  }

  const ClozeSentence& sentence_;
  const NounEvidence& nouns_;
  const CommonNouns& common_;
  const ClozeTopic& topic_;
  std::vector<ClozeAnswer> answers_;
};

}  // namespace

std::vector<ClozeAnswer> find_answers(const ClozeSentence& sentence, const NounEvidence& nouns,
                                      const CommonNouns& common, const ClozeTopic& topic) {
  return AnswerFinder(sentence, nouns, common, topic).find();
}

}  // namespace minibert
