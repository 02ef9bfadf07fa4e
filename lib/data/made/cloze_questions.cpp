#include "data/made/cloze_questions.h"

#include <algorithm>
#include <vector>

#include "text/korean.h"

namespace minibert {
namespace {

using View = std::u32string_view;
using Text = std::u32string;

constexpr size_t kMostWords = 11, kFewestWords = 3;  // beside predicate and question word
constexpr size_t kShortest = 8, kLongest = 90;       // code points of a question

// The question word of each kind: alone, and before the head noun.
struct Asking {
  View word, noun;
};
Asking asking(ClozeKind kind) {
  switch (kind) {
    case ClozeKind::date:
      return {U"언제", U"시기"};
    case ClozeKind::count:
    case ClozeKind::amount:
      return {U"얼마", U"수치"};
    case ClozeKind::title:
      return {U"무엇", U"작품"};
    case ClozeKind::person:
      return {U"누구", U"인물"};
    case ClozeKind::place:
      return {U"어디", U"곳"};
    case ClozeKind::thing:
      break;
  }
  return {U"무엇", U"것"};
}

Text without_spaces(View text) {
  Text out(text);
  std::erase(out, U' ');
  return out;
}

class Maker {
 public:
  Maker(const ClozeSentence& sentence, const ClozeAnswer& answer, const ClozeTopic& topic,
        Rng& random)
      : sentence_(sentence), answer_(answer), topic_(topic), random_(random) {
    answer_text_ =
        without_spaces(View(sentence.text).substr(answer.begin, answer.end - answer.begin));
  }

  std::optional<Text> make() {
    const bool at_end = split_kind() == ParticleKind::copula;
    const auto [first, last] = clause();
    if (last == answer_.last && !at_end) return std::nullopt;
    if (at_end && last != answer_.last) return std::nullopt;
    phrases(first, last);
    size_t words = 0;
    for (const Phrase& phrase : phrases_) words += phrase.words.size();
    if (words < kFewestWords) return std::nullopt;
    if (at_end) return finish(spoken(phrases_.size()) + asked_in_place(U"") + U"인가?");
    const auto predicate = plain_predicate(sentence_.word(last));
    if (!predicate || without_spaces(*predicate).find(answer_text_) != Text::npos)
      return std::nullopt;
    return finish(random_.uniform() < 0.55 && can_ask_at_end() ? ask_at_end(*predicate)
                                                               : ask_in_place(*predicate));
  }

 private:
  // Words up to one with a particle: they may change places without losing their sense.
  struct Phrase {
    std::vector<Text> words;
    bool before_answer = false;
    bool fixed = false;  // it stays, right behind the answer
  };

  bool chance(double probability) { return random_.uniform() < probability; }

  ParticleKind split_kind() const {
    if (answer_.particle.empty()) return ParticleKind::none;
    return split_particle(sentence_.word(answer_.last)).kind;
  }

  // Returns true if the word ends a clause: 하였고, 되었으며; other predicates before a comma.
  bool ends_clause(size_t i) const {
    if (i + 1 == sentence_.words.size()) return true;
    const View word = sentence_.word(i);
    const auto plain = plain_predicate(word);
    if (!plain || word.ends_with(U'다')) return plain && sentence_.words[i].comma;
    return sentence_.words[i].comma || word.starts_with(View(*plain).substr(0, plain->size() - 1));
  }

  // The words of the answer's clause; a short one takes the words before it too.
  std::pair<size_t, size_t> clause() const {
    size_t last = answer_.last;
    while (!ends_clause(last)) ++last;
    size_t first = answer_.first;
    while (first > 0 && !ends_clause(first - 1)) --first;
    if (last - first < 5) first = 0;
    return {std::max(first, answer_.last > 14 ? answer_.last - 14 : 0), last};
  }

  // A word of the question: its particle may become another or go.
  Text varied(View word) {
    const WordParts parts = split_particle(word);
    if (parts.stem.size() < 2 || !chance(0.2)) return Text(word);
    switch (parts.kind) {
      case ParticleKind::topic:
        return Text(parts.stem).append(agreeing_particle(parts.stem, U"이"));
      case ParticleKind::subject:
        return Text(parts.stem).append(agreeing_particle(parts.stem, U"은"));
      case ParticleKind::object:
        return Text(parts.stem);
      default:
        return Text(word);
    }
  }

  // Everything of the clause but answer and predicate, with some of it dropped: whole phrases, and
  // words that lead up to a phrase's last. A word that the answer's 의 leads up to stays.
  void phrases(size_t first, size_t last) {
    const double drop = 0.05 + 0.25 * random_.uniform();
    bool open = false;
    for (size_t i = first; i < last; ++i) {
      if (i >= answer_.first && i <= answer_.last) {
        open = false;
        continue;
      }
      const View word = sentence_.word(i);
      const bool owned = i == answer_.last + 1 && split_kind() == ParticleKind::of;
      const bool closes = owned || !split_particle(word).particle.empty() ||
                          sentence_.words[i].comma || i + 1 == answer_.first;
      if (!open) phrases_.push_back({{}, i < answer_.first, owned});
      open = !closes;
      if (is_left_out(word) || (!closes && !is_digit(word[0]) && chance(drop)) ||
          without_spaces(word).find(answer_text_) != Text::npos)
        continue;
      phrases_.back().words.push_back(owned ? Text(word) : varied(word));
    }
    std::erase_if(phrases_,
                  [&](const Phrase& p) { return p.words.empty() || (!p.fixed && chance(drop)); });
    size_t words = 0;
    for (const Phrase& phrase : phrases_) words += phrase.words.size();
    while (words > kMostWords) {
      const size_t gone = random_.below(phrases_.size());
      if (phrases_[gone].fixed && phrases_.size() > 1) continue;
      words -= phrases_[gone].words.size();
      phrases_.erase(phrases_.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    for (size_t i = 1; i < phrases_.size(); ++i)
      if (phrases_[i - 1].before_answer == phrases_[i].before_answer && !phrases_[i - 1].fixed &&
          chance(0.15))
        std::swap(phrases_[i - 1], phrases_[i]);
    add_topic();
  }

  // Adds the document's subject if the clause lacks it.
  void add_topic() {
    if (topic_.title.empty() || topic_.title.size() > 20 || !chance(0.6) ||
        without_spaces(topic_.title).find(answer_text_) != Text::npos)
      return;
    for (const Phrase& phrase : phrases_)
      for (const Text& word : phrase.words)
        if (word.find(topic_.title) != Text::npos ||
            split_particle(word).kind == ParticleKind::topic)
          return;
    const View particle = chance(0.3) ? U"의" : chance(0.5) ? U"이" : U"은";
    Text word = topic_.title;
    word.append(agreeing_particle(topic_.title, particle));
    phrases_.insert(phrases_.begin(), {{word}, true, false});
  }

  // The first `count` phrases, a space behind every word.
  Text spoken(size_t count, size_t from = 0) const {
    Text out;
    for (size_t p = from; p < count; ++p)
      for (const Text& word : phrases_[p].words) out.append(word).append(U" ");
    return out;
  }

  // 어느 도시에서, 누가, 몇 명을: in the answer's place.
  Text asked_in_place(View particle) {
    const Asking ask = asking(answer_.kind);
    Text out(ask.word);
    if (answer_.kind == ClozeKind::date) {
      const bool plain = particle.empty() || particle.starts_with(U"에");
      if (answer_.head == U"해" && chance(0.4)) {
        out = U"몇 년";
        if (plain) out += U"에";
      }
      if (plain) return out;
    } else if (answer_.kind == ClozeKind::count) {
      out = Text(U"몇 ").append(answer_.head);
    } else if (!answer_.head.empty() && chance(0.5)) {
      out = Text(answer_.kind == ClozeKind::place || chance(0.5) ? U"어느 " : U"어떤 ");
      out.append(answer_.head);
    }
    const View agreeing = agreeing_particle(out, particle);
    if (out == U"누구" && agreeing == U"가") return U"누가";
    return out.append(agreeing);
  }

  Text ask_in_place(const Text& predicate) {
    Text question = question_form(predicate).value_or(Text());
    if (question.ends_with(U"는가") && chance(0.3)) question.replace(question.size() - 2, 2, U"나");
    size_t before = 0;
    while (before < phrases_.size() && phrases_[before].before_answer) ++before;
    if (chance(0.4) && split_kind() != ParticleKind::of) before = phrases_.size();
    Text out = spoken(before) + asked_in_place(answer_.particle) + U" ";
    return out + spoken(phrases_.size(), before) + question + U"?";
  }

  bool can_ask_at_end() const {
    return split_kind() != ParticleKind::of && answer_.kind != ClozeKind::count &&
           answer_.kind != ClozeKind::amount && split_kind() != ParticleKind::none;
  }

  // …을 설립한 인물은 누구인가?, …이 열린 도시는?
  Text ask_at_end(const Text& predicate) {
    const Asking ask = asking(answer_.kind);
    const View noun = answer_.head.empty() ? ask.noun : answer_.head;
    Text out = spoken(phrases_.size()) + modifying_form(predicate).value_or(Text()) + U" ";
    out.append(noun).append(agreeing_particle(noun, U"은"));
    if (chance(0.5)) return out + U"?";
    return out.append(U" ").append(ask.word) + U"인가?";
  }

  std::optional<Text> finish(Text question) const {
    if (question.size() < kShortest || question.size() > kLongest ||
        without_spaces(question).find(answer_text_) != Text::npos)
      return std::nullopt;
    return question;
  }

  const ClozeSentence& sentence_;
  const ClozeAnswer& answer_;
  const ClozeTopic& topic_;
  Rng& random_;
  Text answer_text_;
  std::vector<Phrase> phrases_;
};

}  // namespace

std::optional<Text> make_question(const ClozeSentence& sentence, const ClozeAnswer& answer,
                                  const ClozeTopic& topic, Rng& random) {
  return Maker(sentence, answer, topic, random).make();
}

}  // namespace minibert
