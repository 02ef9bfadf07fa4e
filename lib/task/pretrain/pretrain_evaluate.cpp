#include "task/pretrain/pretrain_evaluate.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <sstream>
#include <string_view>

#include "core/utf8.h"
#include "record/layout.h"
#include "task/pretrain/pretrain_batch.h"
#include "train/batching.h"
#include "train/spread.h"

namespace minibert {
namespace {

namespace F = torch::nn::functional;

// Rows of logits at a time: 16 MB of a vocabulary of 8,007.
constexpr int64_t kRows = 512;

enum Kind { kMasked, kKept, kRandom, kWhole, kFirst, kMiddle, kLast, kSeen, kUnseen, kKinds };
constexpr std::array<const char*, kKinds> kKindNames = {
    "masked", "kept", "random", "whole", "first", "middle", "last", "seen", "unseen"};

struct Tally {
  double loss = 0, correct = 0, targets = 0;
  void add(double target_loss, bool right) { loss += target_loss, correct += right, ++targets; }
};

// At the batch's masked positions, of the hidden states at its queries: the loss of each, float32 [M],
// and the most probable piece, int64 [M].
Tensors guess(PretrainingModel& model, const torch::Tensor& hidden, const Batch& batch) {
  const torch::Tensor &positions = batch.targets[kMaskedQueries], &labels = batch.targets[kLabels];
  const int64_t count = labels.size(0);
  const torch::Tensor loss_M = torch::empty({count}, labels.options().dtype(torch::kFloat32)),
                      best_M = torch::empty_like(labels);
  for (int64_t from = 0; from < count; from += kRows) {
    const int64_t to = std::min(from + kRows, count);
    const torch::Tensor logits_RV =
        model.mlm_logits(hidden, positions.slice(0, from, to), batch.ids);
    const torch::Tensor of_label =
        logits_RV.gather(1, labels.slice(0, from, to).unsqueeze(1)).squeeze(1);
    loss_M.slice(0, from, to).copy_(logits_RV.logsumexp(1) - of_label);
    best_M.slice(0, from, to).copy_(logits_RV.argmax(1));
  }
  return {loss_M.to(torch::kCPU), best_M.to(torch::kCPU)};
}

// Returns the kinds of the target at `position` (`pieces`: the instance's; `shown`: the input).
std::array<Kind, 3> kinds_of(const PieceRoles& roles, std::span<const uint16_t> pieces,
                             const int64_t* shown, size_t position) {
  const uint16_t gold = pieces[position];
  const Kind input = shown[position] == roles.mask() ? kMasked
                     : shown[position] == gold       ? kKept
                                                     : kRandom;
  const bool first = roles.starts_word(gold) || !roles.is_ordinary(pieces[position - 1]);
  const bool last = position + 1 >= pieces.size() || !roles.is_ordinary(pieces[position + 1]) ||
                    roles.starts_word(pieces[position + 1]);
  const Kind place = first && last ? kWhole : first ? kFirst : last ? kLast : kMiddle;
  bool seen = false;
  for (size_t i = 0; i < pieces.size(); ++i) seen = seen || (i != position && shown[i] == gold);
  return {input, place, seen ? kSeen : kUnseen};
}

// FNV-1a over the pieces: tells instances of one number apart.
std::string instance_id(size_t number, std::span<const uint16_t> pieces) {
  uint32_t hash = 2166136261U;
  for (const uint16_t piece : pieces)
    for (const uint32_t byte : {piece & 255U, uint32_t{piece} >> 8U})
      hash = (hash ^ byte) * 16777619U;
  char text[32];
  std::snprintf(text, sizeof text, "%zu-%08x", number, hash);
  return text;
}

// A space before a piece (▁, Ġ) or the mark that it continues a word (##) is no text of its own.
size_t text_bytes(const Tokenizer& tokenizer, int32_t id) {
  // SentencePiece's byte fallback writes a byte as "<0xF0>": all that is neither special nor text there.
  if (!tokenizer.is_wordpiece() && !tokenizer.is_byte_bpe() && !tokenizer.is_special(id) &&
      !tokenizer.is_text(id))
    return 1;
  constexpr std::string_view kSpace = "\xe2\x96\x81", kByteSpace = "\xc4\xa0", kContinues = "##";
  const std::string_view piece = tokenizer.piece(id);
  const std::string_view mark = tokenizer.is_wordpiece()  ? kContinues
                                : tokenizer.is_byte_bpe() ? kByteSpace
                                                          : kSpace;
  const std::string_view text = piece.substr(piece.starts_with(mark) ? mark.size() : 0);
  // Byte-level BPE writes every byte as a letter.
  return tokenizer.is_byte_bpe() ? to_code_points(text).size() : text.size();
}

// Everything that evaluate_pretraining counts, an entry an instance where it is a vector.
struct Counts {
  explicit Counts(size_t instances)
      : targets(instances),
        masked(instances),
        bytes(instances, 0),
        nsp_loss(instances, 0),
        nsp_correct(instances, 0),
        gold(instances),
        prediction(instances) {}

  std::vector<Tally> targets, masked;  // `masked`: the targets at [MASK]
  std::vector<double> bytes, nsp_loss, nsp_correct;
  std::vector<std::string> gold, prediction;
  std::array<Tally, kKinds> kinds = {};
  double course_nsp_loss = 0;
  bool has_nsp = false;
};

void count_sentences(const std::vector<uint32_t>& indices, const torch::Tensor& logits_B2,
                     const torch::Tensor& labels, Counts* counts) {
  const auto apart = F::CrossEntropyFuncOptions().reduction(torch::kNone);
  const torch::Tensor loss = F::cross_entropy(logits_B2, labels, apart).to(torch::kFloat64);
  const torch::Tensor right = logits_B2.argmax(-1).eq(labels).to(torch::kFloat64);
  for (size_t row = 0; row < indices.size(); ++row) {
    counts->nsp_loss[indices[row]] = loss[static_cast<int64_t>(row)].item<double>();
    counts->nsp_correct[indices[row]] = right[static_cast<int64_t>(row)].item<double>();
  }
  counts->course_nsp_loss +=
      F::cross_entropy(logits_B2.softmax(-1), labels, apart).sum().item<double>();
  counts->has_nsp = true;
}

Metrics figures_of(const Counts& counts, const PretrainMeasuring& measuring, size_t longest) {
  const std::string prefix = measuring.objective == Objective::clm ? "lm_" : "mlm_";
  const auto instances = static_cast<double>(counts.targets.size());
  Tally all;
  double bytes = 0, nsp_loss = 0, nsp_correct = 0;
  for (size_t i = 0; i < counts.targets.size(); ++i) {
    all.loss += counts.targets[i].loss;
    all.correct += counts.targets[i].correct;
    all.targets += counts.targets[i].targets;
    bytes += counts.bytes[i];
    nsp_loss += counts.nsp_loss[i], nsp_correct += counts.nsp_correct[i];
  }
  Metrics figures;
  const auto add = [&](const std::string& ending, const Tally& tally) {
    if (tally.targets == 0) return;
    figures[prefix + "loss" + ending] = tally.loss / tally.targets;
    figures[prefix + "accuracy" + ending] = tally.correct / tally.targets;
  };
  figures["instances"] = instances;
  add("", all);
  if (bytes > 0) figures["loss_per_byte"] = all.loss / bytes;
  if (measuring.objective == Objective::mlm) {
    figures["course_mlm_loss"] = 20.0 * all.loss / (instances * static_cast<double>(longest));
    for (size_t kind = 0; measuring.kinds && kind < kKinds; ++kind)
      add(std::string("_") + kKindNames[kind], counts.kinds[kind]);
  }
  if (counts.has_nsp) {
    figures["nsp_loss"] = nsp_loss / instances;
    figures["nsp_accuracy"] = nsp_correct / instances;
    figures["course_nsp_loss"] = counts.course_nsp_loss / instances;
  }
  return figures;
}

Predictions predictions_of(const Counts& counts, const InstanceFile& instances,
                           const PretrainMeasuring& measuring) {
  const std::string prefix = measuring.objective == Objective::clm ? "lm_" : "mlm_";
  Predictions out;
  for (size_t i = 0; i < counts.targets.size(); ++i) {
    const Tally& tally = counts.targets[i];
    const double targets = std::max(1.0, tally.targets), bytes = std::max(1.0, counts.bytes[i]);
    out.id.push_back(instance_id(i, instances.pieces(i)));
    out.numbers["targets"].push_back(tally.targets);
    out.numbers[prefix + "accuracy"].push_back(tally.correct / targets);
    out.numbers[prefix + "loss"].push_back(tally.loss / targets);
    if (measuring.objective == Objective::mlm) {
      const Tally& masked = counts.masked[i];
      out.numbers["masked_targets"].push_back(masked.targets);
      out.numbers["mlm_accuracy_masked"].push_back(masked.correct / std::max(1.0, masked.targets));
    }
    if (measuring.tokenizer == nullptr) continue;
    out.numbers["bytes"].push_back(counts.bytes[i]);
    out.numbers["loss_per_byte"].push_back(tally.loss / bytes);
  }
  if (counts.has_nsp) {
    out.numbers["nsp_loss"] = counts.nsp_loss;
    out.numbers["nsp_accuracy"] = counts.nsp_correct;
  }
  if (measuring.tokenizer != nullptr && measuring.objective == Objective::mlm)
    out.texts = {{"gold", counts.gold}, {"prediction", counts.prediction}};
  for (const int64_t document : instances.documents())
    out.texts[layout::kClusterColumn].push_back(std::to_string(document));
  return out;
}

}  // namespace

std::vector<uint8_t> piece_bytes(const Tokenizer& tokenizer) {
  constexpr size_t kUnknown = 3;
  std::vector<uint8_t> bytes;
  for (int32_t id = 0; id < tokenizer.size(); ++id)
    bytes.push_back(static_cast<uint8_t>(std::min<size_t>(
        255, id == tokenizer.special().unk ? kUnknown : text_bytes(tokenizer, id))));
  return bytes;
}

Evaluation evaluate_pretraining(PretrainingModel& model, const InstanceFile& instances,
                                const PretrainMeasuring& measuring, uint64_t mask_seed,
                                torch::Device device, Workers* workers, int64_t batch_size) {
  torch::NoGradGuard no_grad;
  const BatchSettings batching{.objective = measuring.objective, .mask = measuring.mask};
  const auto batches = sorted_batches(lengths_of(instances), batch_size);
  const auto batch_at = [&](size_t number) {
    return pretrain_batch(instances, batches[number], batching, mask_seed, 0);
  };
  const auto found = make_spread(workers, batches.size(), [&](size_t number) {
    const Batch batch = batch_at(number).to(device);
    const auto hidden = model.encode(batch.ids, batch.segments, batch.targets[kQueries]);
    Tensors out = guess(model, hidden, batch);
    if (batch.targets[kNsp].defined()) out.push_back(model.nsp(hidden).to(torch::kCPU));
    return out;
  });
  const Tokenizer* tokenizer = measuring.tokenizer;
  const auto bytes = tokenizer != nullptr ? piece_bytes(*tokenizer) : std::vector<uint8_t>();
  const bool masked = measuring.objective == Objective::mlm;
  Counts counts(instances.size());
  for (size_t number = 0; number < batches.size(); ++number) {
    const std::vector<uint32_t>& indices = batches[number];
    const Batch batch = batch_at(number);
    const auto* loss = found[number][0].data_ptr<float>();
    const auto* best = found[number][1].data_ptr<int64_t>();
    const auto* labels = batch.targets[kLabels].data_ptr<int64_t>();
    const auto* positions = batch.targets[kPositions].data_ptr<int64_t>();
    const auto* shown = batch.ids.data_ptr<int64_t>();
    const int64_t length = batch.ids.size(1);
    for (int64_t i = 0; i < batch.targets[kLabels].size(0); ++i) {
      const int64_t row = positions[i] / length;
      const uint32_t instance = indices[static_cast<size_t>(row)];
      const bool right = best[i] == labels[i];
      counts.targets[instance].add(loss[i], right);
      if (masked)
        for (const Kind kind :
             kinds_of(instances.roles(), instances.pieces(instance), shown + row * length,
                      static_cast<size_t>(positions[i] % length))) {
          counts.kinds[kind].add(loss[i], right);
          if (kind == kMasked) counts.masked[instance].add(loss[i], right);
        }
      if (tokenizer == nullptr) continue;
      counts.bytes[instance] += bytes[static_cast<size_t>(labels[i])];
      if (!masked) continue;
      const char* between = counts.gold[instance].empty() ? "" : " ";
      counts.gold[instance].append(between).append(
          tokenizer->piece(static_cast<int32_t>(labels[i])));
      counts.prediction[instance].append(between).append(
          tokenizer->piece(static_cast<int32_t>(best[i])));
    }
    if (batch.targets[kNsp].defined())
      count_sentences(indices, found[number][2], batch.targets[kNsp], &counts);
  }
  return {figures_of(counts, measuring, instances.longest()),
          predictions_of(counts, instances, measuring)};
}

std::string shown_instance(const InstanceFile& instances, size_t index,
                           const PretrainMeasuring& measuring, uint64_t mask_seed,
                           const Predictions& predictions) {
  const Tokenizer& tokenizer = *measuring.tokenizer;
  MaskedInstance instance;
  masked_instance(instances, index, measuring.mask, mask_seed, 0, &instance);
  const auto pieces = instances.pieces(index);
  std::string text;
  std::vector<int32_t> run;  // pieces between two that are special
  for (size_t i = 0; i <= pieces.size(); ++i) {
    const bool special = i == pieces.size() || tokenizer.is_special(instance.ids[i]);
    if (!special) {
      run.push_back(instance.ids[i]);
      continue;
    }
    if (!run.empty()) {
      if (tokenizer.starts_word(run[0])) text += ' ';
      text += tokenizer.decode(run);
    }
    run.clear();
    if (i == pieces.size()) break;
    // A mask stands where its piece stood, behind a space or not.
    const bool continues =
        tokenizer.special().mask == instance.ids[i] && !tokenizer.starts_word(pieces[i]);
    if (!continues && !text.empty()) text += ' ';
    text += tokenizer.piece(instance.ids[i]);
  }
  std::string guesses;
  std::istringstream golds(predictions.texts.at("gold")[index]),
      best(predictions.texts.at("prediction")[index]);
  for (std::string gold, guess; golds >> gold && best >> guess;)
    guesses.append(guesses.empty() ? "" : ", ")
        .append(gold)
        .append(" → ")
        .append(guess)
        .append(gold == guess ? " ✓" : " ✗");
  text += "\n    " + guesses;
  const auto judged = predictions.numbers.find("nsp_accuracy");
  if (judged == predictions.numbers.end() || instance.nsp == kNoSentenceTask) return text;
  const bool right = judged->second[index] == 1, next = instance.nsp == 1;
  const auto word = [](bool follows) { return follows ? "true" : "false"; };
  return text + "\n    B follows A: " + word(next) + " → " + word(next == right) +
         (right ? " ✓" : " ✗");
}

}  // namespace minibert
