#include "infer/teach.h"

#include <algorithm>
#include <cmath>

#include "infer/engine/float_ops.h"

namespace minibert::infer {
namespace {

constexpr float kDecay = 0.05f;
constexpr size_t kParts = 5;  // each is held out once
constexpr size_t kMostWords = 60;
constexpr size_t kMostKnown = 2000;
constexpr float kFlat = 1e-5f;
constexpr int kMostSteps = 5000;
constexpr std::string_view kSpace = " \t\r\n";

bool is_blank(std::string_view text) { return text.find_first_not_of(kSpace) == text.npos; }

// Cuts a line at the first ":" or tab into label and text, without white space around them.
bool split_line(std::string_view line, std::string* label, std::string* text) {
  constexpr std::string_view kMarks[] = {":", "：", "\t"};
  size_t at = line.npos, width = 0;
  for (const std::string_view mark : kMarks)
    if (const size_t found = line.find(mark); found < at) at = found, width = mark.size();
  if (at == line.npos) return false;
  const auto trimmed = [](std::string_view part) {
    if (is_blank(part)) return std::string();
    const size_t begin = part.find_first_not_of(kSpace), end = part.find_last_not_of(kSpace);
    return std::string(part.substr(begin, end + 1 - begin));
  };
  *label = trimmed(line.substr(0, at));
  *text = trimmed(line.substr(at + width));
  return !label->empty() && !text->empty();
}

// The probabilities [classes] of a row.
std::vector<float> probabilities(const std::vector<float>& weights, const std::vector<float>& row) {
  std::vector<float> out(weights.size() / row.size());
  for (size_t c = 0; c < out.size(); ++c)
    for (size_t k = 0; k < row.size(); ++k) out[c] += weights[c * row.size() + k] * row[k];
  softmax(out.data(), static_cast<int32_t>(out.size()));
  return out;
}

struct Lessons {
  TeachResult counted;
  std::vector<std::string> texts;
  std::vector<uint32_t> labels;  // of each text, its index in counted.labels

  bool can_teach() const {
    const size_t classes = counted.labels.size();
    return counted.unread_line == 0 && classes >= kFewestLabels && classes <= kMostLabels &&
           texts.size() <= kMostLessons &&
           std::all_of(counted.labels.begin(), counted.labels.end(),
                       [](const TaughtLabel& one) { return one.sentences >= kFewestSentences; });
  }
};

Lessons read_lessons(std::string_view rest) {
  Lessons lessons;
  for (uint32_t line = 1; !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view here = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (is_blank(here)) continue;
    std::string label, text;
    if (!split_line(here, &label, &text)) {
      if (lessons.counted.unread_line == 0) lessons.counted.unread_line = line;
      continue;
    }
    auto& all = lessons.counted.labels;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.label == label; });
    lessons.labels.push_back(static_cast<uint32_t>(found - all.begin()));
    if (found == all.end()) all.push_back({label, 0});
    ++all[lessons.labels.back()].sentences;
    lessons.texts.push_back(std::move(text));
  }
  return lessons;
}

}  // namespace

std::vector<float> fit_logistic(const std::vector<std::vector<float>>& rows_NW,
                                const std::vector<uint32_t>& labels_N, size_t classes,
                                float decay) {
  const size_t count = rows_NW.size(), width = rows_NW.front().size();
  float longest = 0;  // of the rows' squared lengths; the slope changes by no more than half of it
  for (const auto& row : rows_NW) {
    float square = 0;
    for (const float x : row) square += x * x;
    longest = std::max(longest, square);
  }
  const float steepest = longest / 2 + decay;
  const float root = std::sqrt(decay / steepest), momentum = (1 - root) / (1 + root);
  std::vector<float> weights(classes * width), ahead = weights, slope(weights.size());
  for (int step = 0; step < kMostSteps; ++step) {
    for (size_t i = 0; i < slope.size(); ++i) slope[i] = decay * ahead[i];
    for (size_t n = 0; n < count; ++n) {
      std::vector<float> p = probabilities(ahead, rows_NW[n]);
      p[labels_N[n]] -= 1;
      for (size_t c = 0; c < classes; ++c)
        for (size_t k = 0; k < width; ++k)
          slope[c * width + k] += p[c] * rows_NW[n][k] / static_cast<float>(count);
    }
    float most = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
      const float next = ahead[i] - slope[i] / steepest;
      ahead[i] = next + momentum * (next - weights[i]);
      weights[i] = next;
      most = std::max(most, std::abs(slope[i]));
    }
    if (most < kFlat) break;
  }
  return weights;
}

Status Teacher::read(AnyModel* model, const std::string& text, const Features** features) {
  auto found = known_.find(text);
  if (found == known_.end()) {
    std::vector<Token> tokens;
    std::span<const float> states;
    const Status status = model->embed(text, &tokens, &states);
    if (!status.ok()) return status;
    Features one;
    const size_t width = states.size() / tokens.size();
    one.vector.resize(width);
    for (size_t i = 1; i + 1 < tokens.size(); ++i) {
      one.pieces.push_back(tokens[i].id);
      for (size_t k = 0; k < width; ++k) one.vector[k] += states[i * width + k];
    }
    std::sort(one.pieces.begin(), one.pieces.end());
    one.pieces.erase(std::unique(one.pieces.begin(), one.pieces.end()), one.pieces.end());
    float square = 0;
    for (const float x : one.vector) square += x * x;
    for (float& x : one.vector) x /= std::max(std::sqrt(square), 1e-9f);
    found = known_.emplace(text, std::move(one)).first;
  }
  *features = &found->second;
  return {};
}

std::vector<float> Teacher::Learnt::row(const Features& one) const {
  std::vector<float> row(mean.size() + columns.size() + 1);
  for (size_t k = 0; k < mean.size(); ++k) row[k] = one.vector[k] - mean[k];
  const float share = 1 / std::sqrt(static_cast<float>(std::max<size_t>(one.pieces.size(), 1)));
  for (const int32_t piece : one.pieces)
    if (const auto found = columns.find(piece); found != columns.end())
      row[mean.size() + found->second] = share;
  row.back() = 1;
  return row;
}

std::vector<float> Teacher::Learnt::judge(const Features& one) const {
  return probabilities(weights, row(one));
}

Status Teacher::learn_from(AnyModel* model, std::string_view text) {
  const Lessons lessons = read_lessons(text);
  const std::vector<std::string>& texts = lessons.texts;
  taught_ = lessons.counted;
  lessons_ = text;
  if (!lessons.can_teach()) return {};
  std::vector<const Features*> read_N(texts.size());
  for (size_t n = 0; n < texts.size(); ++n)
    if (const Status status = read(model, texts[n], &read_N[n]); !status.ok()) return status;

  // Each label's sentences in turn into the parts, so that every part has some of each; equal sentences into one.
  const size_t classes = taught_.labels.size();
  std::vector<size_t> parts(texts.size()), next(classes);
  std::map<std::string_view, size_t> part_of;
  for (size_t n = 0; n < texts.size(); ++n)
    parts[n] = part_of.emplace(texts[n], next[lessons.labels[n]]++ % kParts).first->second;
  const auto learn_without = [&](size_t part) {
    Learnt learnt;
    learnt.mean.resize(read_N[0]->vector.size());
    std::vector<size_t> seen;
    for (size_t n = 0; n < texts.size(); ++n) {
      if (parts[n] == part) continue;
      seen.push_back(n);
      for (size_t k = 0; k < learnt.mean.size(); ++k) learnt.mean[k] += read_N[n]->vector[k];
      for (const int32_t piece : read_N[n]->pieces)
        learnt.columns.emplace(piece, learnt.columns.size());
    }
    for (float& x : learnt.mean) x /= static_cast<float>(seen.size());
    std::vector<std::vector<float>> rows;
    std::vector<uint32_t> labels;
    for (const size_t n : seen) {
      rows.push_back(learnt.row(*read_N[n]));
      labels.push_back(lessons.labels[n]);
    }
    learnt.weights = fit_logistic(rows, labels, classes, kDecay);
    return learnt;
  };
  for (size_t part = 0; part < kParts; ++part) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) continue;
    const Learnt learnt = learn_without(part);
    for (size_t n = 0; n < texts.size(); ++n) {
      if (parts[n] != part) continue;
      const std::vector<float> p = learnt.judge(*read_N[n]);
      const auto best = std::max_element(p.begin(), p.end());
      const auto guess = static_cast<size_t>(best - p.begin());
      const uint32_t label = lessons.labels[n];
      if (guess == label)
        ++taught_.right;
      else
        taught_.wrong.push_back(
            {texts[n], taught_.labels[label].label, taught_.labels[guess].label, *best});
    }
  }
  whole_ = learn_without(kParts);
  taught_.learnt = true;
  return {};
}

Status Teacher::ask(AnyModel* model, std::string_view asked, TeachResult* result) {
  const Features* features = nullptr;
  Status status = read(model, std::string(asked), &features);
  if (!status.ok()) return status;
  const std::vector<float> whole = whole_.judge(*features);
  for (size_t c = 0; c < whole.size(); ++c)
    result->guess.push_back({result->labels[c].label, whole[c]});
  const auto best =
      static_cast<size_t>(std::max_element(whole.begin(), whole.end()) - whole.begin());
  std::stable_sort(result->guess.begin(), result->guess.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  for (size_t begin = asked.find_first_not_of(kSpace);
       begin != asked.npos && result->words.size() < kMostWords;) {
    const size_t end = std::min(asked.find_first_of(kSpace, begin), asked.size());
    const std::string rest = std::string(asked.substr(0, begin)) + std::string(asked.substr(end));
    if (is_blank(rest)) break;  // one word alone
    status = read(model, rest, &features);
    if (!status.ok()) return status;
    result->words.push_back(
        {static_cast<uint32_t>(begin), static_cast<uint32_t>(end), whole_.judge(*features)[best]});
    begin = asked.find_first_not_of(kSpace, end);
  }
  return {};
}

Status Teacher::teach(AnyModel* model, std::string_view lessons, std::string_view asked, bool learn,
                      TeachResult* result) {
  *result = {};
  if (known_.size() > kMostKnown) known_.clear();
  if (!learn) {
    *result = read_lessons(lessons).counted;
    return {};
  }
  // The lessons stay the same while the asked text is typed.
  if (!taught_.learnt || lessons_ != lessons)
    if (const Status status = learn_from(model, lessons); !status.ok()) return status;
  *result = taught_;
  return taught_.learnt && !is_blank(asked) ? ask(model, asked, result) : Status();
}

}  // namespace minibert::infer
