#include "task/qa/qa_evaluate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/text.h"
#include "record/layout.h"
#include "score/qa_score.h"
#include "train/batching.h"
#include "train/padding.h"
#include "train/spread.h"

namespace minibert {
namespace {

// The result of a forward pass for each window: start and end logits of its real positions.
struct WindowLogits {
  std::vector<float> start, end;
};

std::vector<WindowLogits> run_windows(QaModel& model, const QaSplit& split,
                                      const std::vector<QaWindow>& windows, torch::Device device,
                                      Workers* workers, int64_t batch_size) {
  torch::NoGradGuard no_grad;
  std::vector<uint32_t> lengths;
  for (const QaWindow& window : windows) lengths.push_back(window_length(split, window));
  const auto batches = sorted_batches(lengths, batch_size);
  const auto run_batch = [&](size_t number) -> Tensors {
    const std::vector<uint32_t>& indices = batches[number];
    std::vector<std::vector<int32_t>> ids(indices.size());
    std::vector<std::vector<uint8_t>> segments(indices.size());
    for (size_t row = 0; row < indices.size(); ++row)
      append_window(split, windows[indices[row]], &ids[row], &segments[row]);
    Batch batch;
    pad_rows(ids, segments, &batch);
    batch = batch.to(device);
    return {
        model.logits(batch.ids, batch.segments).to(torch::kCPU).permute({0, 2, 1}).contiguous()};
  };
  const std::vector<Tensors> found = make_spread(workers, batches.size(), run_batch);
  std::vector<WindowLogits> out(windows.size());
  for (size_t number = 0; number < batches.size(); ++number) {
    const torch::Tensor& logits_B2S = found[number][0];
    const int64_t length = logits_B2S.size(2);
    for (size_t row = 0; row < batches[number].size(); ++row) {
      const float* values = logits_B2S.data_ptr<float>() + static_cast<int64_t>(row) * 2 * length;
      const uint32_t window = batches[number][row];
      out[window].start.assign(values, values + lengths[window]);
      out[window].end.assign(values + length, values + length + lengths[window]);
    }
  }
  return out;
}

std::vector<Span> window_spans(const QaSplit& split, const QaWindow& window,
                               const WindowLogits& logits, const SpanSettings& spans,
                               const std::vector<float>& lengths) {
  const uint32_t offset = context_offset(split, window);
  return best_spans(logits.start.data() + offset, logits.end.data() + offset, window.count,
                    window.first, spans, lengths);
}

// Cross-entropy of the right position.
double loss_at(const std::vector<float>& logits, uint32_t position) {
  const float top = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - top);
  return std::log(sum) + top - logits[position];
}

uint32_t best_position(const std::vector<float>& logits) {
  return static_cast<uint32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

}  // namespace

void ScoredAnswers::add(const std::string& id, const std::string& cluster,
                        const std::vector<std::string>& right, const std::string& answer,
                        double score) {
  id_.push_back(id);
  cluster_.push_back(cluster);
  gold_.push_back(joined(right, "\n"));
  prediction_.push_back(answer);
  score_.push_back(score);
  exact_match_.push_back(best_exact_match(answer, right));
  f1_.push_back(best_f1(answer, right));
}

Evaluation ScoredAnswers::evaluation() const {
  const auto percent = [&](const std::vector<double>& values) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return 100 * sum / std::max(1.0, static_cast<double>(values.size()));
  };
  return {{{"exact_match", percent(exact_match_)},
           {"f1", percent(f1_)},
           {"questions", static_cast<double>(id_.size())}},
          Predictions{
              id_,
              {{"gold", gold_}, {"prediction", prediction_}, {layout::kClusterColumn, cluster_}},
              {{"score", score_}, {"exact_match", exact_match_}, {"f1", f1_}}}};
}

Evaluation evaluate_questions(QaModel& model, const QaSplit& split, const QaSettings& settings,
                              torch::Device device, Workers* workers, int64_t batch_size) {
  std::vector<QaWindow> windows;
  std::vector<size_t> first_window;
  const auto count = static_cast<uint32_t>(split.examples.size());
  for (uint32_t example = 0; example < count; ++example) {
    first_window.push_back(windows.size());
    const auto covering = covering_windows(split, example, settings.features);
    windows.insert(windows.end(), covering.begin(), covering.end());
  }
  first_window.push_back(windows.size());
  const auto logits = run_windows(model, split, windows, device, workers, batch_size);

  const std::vector<float> lengths = model.head().length_scores();
  ScoredAnswers answers;
  double start_right = 0, end_right = 0, kept = 0, in_windows = 0;
  double loss = 0, start_loss = 0, end_loss = 0;
  for (uint32_t example = 0; example < count; ++example) {
    const QaExample& question = split.examples[example];
    const size_t first = first_window[example];
    std::vector<std::vector<Span>> found;
    bool in_window = false;  // the answer, in an earlier one
    for (size_t w = first; w < first_window[example + 1]; ++w) {
      const QaWindow& window = windows[w];
      found.push_back(window_spans(split, window, logits[w], settings.spans, lengths));
      if (in_window || question.start < window.first || question.end >= window.first + window.count)
        continue;
      const uint32_t to_window = context_offset(split, window) - window.first;
      const double of_start = loss_at(logits[w].start, question.start + to_window),
                   of_end = loss_at(logits[w].end, question.end + to_window);
      loss += of_start + of_end, start_loss += of_start, end_loss += of_end;
      ++in_windows, in_window = true;
    }
    const std::vector<Span> best = combine_spans(found, settings.spans);
    const std::string text =
        best.empty() ? "" : span_text(split, question.context, best[0].start, best[0].end);
    answers.add(question.id, split.clusters[question.context], question.answers, text,
                best.empty() ? 0 : best[0].probability);
    if (course_discards(split, example, settings.features)) continue;
    const uint32_t offset = context_offset(split, windows[first]);
    start_right += best_position(logits[first].start) == question.start + offset;
    end_right += best_position(logits[first].end) == question.end + offset;
    ++kept;
  }
  const double all = std::max(1.0, static_cast<double>(count));
  const double in_reach = std::max(1.0, kept);
  Evaluation out = answers.evaluation();
  if (in_windows > 0)
    for (const auto& [name, sum] : {std::pair("loss", loss), std::pair("start_loss", start_loss),
                                    std::pair("end_loss", end_loss)})
      out.metrics[name] = sum / in_windows;
  out.metrics.insert({{"start_accuracy", start_right / all},
                      {"end_accuracy", end_right / all},
                      {"start_end_accuracy", start_right / all + end_right / all},
                      {"course_start_accuracy", start_right / in_reach},
                      {"course_end_accuracy", end_right / in_reach}});
  return out;
}

std::vector<QaAnswer> answer_question(QaModel& model, const QaSplit& split, uint32_t example,
                                      const QaSettings& settings, torch::Device device) {
  const auto windows = covering_windows(split, example, settings.features);
  const auto logits = run_windows(model, split, windows, device, nullptr, 8);
  const std::vector<float> lengths = model.head().length_scores();
  std::vector<std::vector<Span>> found;
  for (size_t w = 0; w < windows.size(); ++w)
    found.push_back(window_spans(split, windows[w], logits[w], settings.spans, lengths));
  const uint32_t context = split.examples[example].context;
  const EncodedContext& encoded = split.contexts[context];
  std::vector<QaAnswer> out;
  for (const Span& span : combine_spans(found, settings.spans))
    out.push_back({span_text(split, context, span.start, span.end), encoded.begin[span.start],
                   encoded.end[span.end], span.probability});
  return out;
}

double milliseconds_per_question(QaModel& model, const QaSplit& split, const QaSettings& settings,
                                 torch::Device device, uint32_t count) {
  count = std::min(count, static_cast<uint32_t>(split.examples.size()));
  if (count == 0) return 0;
  for (uint32_t i = 0; i < std::min(count, 3U); ++i)
    answer_question(model, split, i, settings, device);
  std::vector<double> times;
  for (uint32_t i = 0; i < count; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    answer_question(model, split, i, settings, device);
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  return times[count / 2];
}

}  // namespace minibert
