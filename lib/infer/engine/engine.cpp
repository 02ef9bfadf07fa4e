// The forward pass. S positions, D d_model, E embedding size, F d_ff, H heads, R rows.
#include "infer/engine/engine.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "infer/engine/attention.h"
#include "infer/engine/context_bonus.h"
#include "infer/engine/convolution.h"
#include "infer/engine/float_ops.h"
#include "infer/engine/linear.h"

namespace minibert::infer {
namespace {

int32_t widest(const ModelConfig& c) { return std::max({c.d_model, c.embedding_size, c.d_ff}); }

// Calls f(first, rows) for every block of up to kBlockRows positions.
template <class F>
void for_blocks(int32_t length, F&& f) {
  for (int32_t first = 0; first < length; first += kBlockRows)
    f(first, std::min(kBlockRows, length - first));
}

void append(const float* values, int64_t count, std::vector<float>* to) {
  to->insert(to->end(), values, values + count);
}

}  // namespace

struct Engine::Impl {
  const Model& model;
  const ModelConfig& config;
  Kernel kernel;
  bool fine;  // for the encoder's products; those of the few masked positions always are
  LinearRunner linear;
  Attention attention;
  ContextBonus bonus;
  int32_t length = 0;
  std::vector<int32_t> all, wanted;  // positions: 0, 1, … and the rows of hidden()
  bool attention_kept = false;
  // mixed_S3D: queries, keys and values after their convolution.
  std::vector<float> hidden_SD, qkv_S3D, mixed_S3D, context_SD, gates_RH, block_RF, block_RD,
      embedding_E, logits_V, spans_S2, pooled_2D, labels_C, tags_SC;
  std::vector<float> kept_AHSS;  // of the layers with attention
  Trace* trace = nullptr;        // of this encode, or null
  Intervention changed;

  Impl(const Model& m, Kernel k)
      : model(m),
        config(m.config()),
        kernel(k),
        fine(m.facts().fine),
        linear(k, widest(m.config())),
        attention(m.config().d_model, m.config().n_heads),
        bonus(m),
        gates_RH(size_t(kBlockRows) * size_t(m.config().n_heads)),
        block_RF(size_t(kBlockRows) * size_t(m.config().inner_rows())),
        block_RD(size_t(kBlockRows) * widest(m.config())),
        embedding_E(size_t(std::max(m.config().embedding_size, m.config().d_model))),
        logits_V(size_t(m.config().vocab_size)) {}

  float* hidden(int32_t s) { return hidden_SD.data() + int64_t(s) * config.d_model; }

  void reserve(int32_t positions, bool keep_attention) {
    const auto grow = [](std::vector<float>* buffer, int64_t size) {
      if (buffer->size() < size_t(size)) buffer->resize(size_t(size));
    };
    const int64_t s = positions, d = config.d_model;
    grow(&hidden_SD, s * d);
    grow(&qkv_S3D, s * 3 * d);
    if (config.conv > 0) grow(&mixed_S3D, s * 3 * d);
    grow(&context_SD, s * d);
    while (all.size() < size_t(positions)) all.push_back(static_cast<int32_t>(all.size()));
    wanted.reserve(size_t(positions));
    attention.reserve(positions);
    if (keep_attention)
      grow(&kept_AHSS, int64_t(config.attention_layers()) * config.n_heads * s * s);
  }

  Status check(std::span<const int32_t> ids, std::span<const uint8_t> segments,
               std::span<const int32_t> positions) const {
    const auto count = [](int64_t n) { return std::to_string(n); };
    if (ids.empty()) return Status::error("the input is empty");
    if (ids.size() > size_t(config.max_positions))
      return Status::error("the input has " + count(int64_t(ids.size())) +
                           " pieces, the model reads at most " + count(config.max_positions));
    if (!segments.empty() && segments.size() != ids.size())
      return Status::error("found " + count(int64_t(segments.size())) + " segments for " +
                           count(int64_t(ids.size())) + " pieces");
    for (const int32_t id : ids)
      if (id < 0 || id >= config.vocab_size)
        return Status::error("found piece id " + count(id) + ", expected 0 to " +
                             count(config.vocab_size - 1));
    for (const uint8_t segment : segments)
      if (segment >= config.segments)
        return Status::error("found segment " + count(segment) + ", expected 0 to " +
                             count(config.segments - 1));
    for (const Intervention::Patch& patch : changed.patches)
      if (size_t(patch.position) >= ids.size())
        return Status::error("found position " + count(patch.position) +
                             " to patch, expected 0 to " + count(int64_t(ids.size()) - 1));
    for (size_t i = 0; i < positions.size(); ++i)
      if (positions[i] < (i == 0 ? 0 : positions[i - 1] + 1) || size_t(positions[i]) >= ids.size())
        return Status::error("found position " + count(positions[i]) +
                             ", expected ascending ones from 0 to " +
                             count(int64_t(ids.size()) - 1));
    return {};
  }

  void norm(const float* x, const Norm& weights, int32_t size, float* y) const {
    layer_norm(x, weights, config.layer_norm_eps, size, y);
  }

  void embed(std::span<const int32_t> ids, std::span<const uint8_t> segments) {
    const int32_t e = config.embedding_size, d = config.d_model;
    for_blocks(length, [&](int32_t first, int32_t rows) {
      for (int32_t r = 0; r < rows; ++r) {
        const size_t s = size_t(first) + size_t(r);
        float* row = block_RD.data() + int64_t(r) * e;
        const int32_t segment = segments.empty() ? 0 : segments[s];
        copy_row(model.token, ids[s], row);
        if (model.position.rows > 0) add_row(model.position, first + r, row);
        add_row(model.segment, segment, row);
        if (trace != nullptr) {
          const int64_t at = int64_t(s) * e;
          copy_row(model.token, ids[s], trace->token_SE.data() + at);
          if (model.position.rows > 0)
            copy_row(model.position, first + r, trace->position_SE.data() + at);
          copy_row(model.segment, segment, trace->segment_SE.data() + at);
        }
        norm(row, model.embedding_norm, e, row);
      }
      if (e == d) {
        std::copy_n(block_RD.data(), int64_t(rows) * d, hidden(first));
      } else {
        linear.apply(model.projection, fine, block_RD.data(), e, rows, hidden(first), d);
      }
    });
  }

  // x += y, then LayerNorm where it comes after.
  void add_residual(float* x_D, const float* y_D, const Norm& after) {
    add(x_D, y_D, config.d_model);
    if (!config.pre_norm) norm(x_D, after, config.d_model, x_D);
  }

  // The input of a sublayer for R rows: x, or its LayerNorm if that comes first.
  const float* input_RD(int32_t first, int32_t rows, const Norm& before) {
    if (!config.pre_norm) return hidden(first);
    for (int32_t r = 0; r < rows; ++r)
      norm(hidden(first + r), before, config.d_model,
           block_RD.data() + int64_t(r) * config.d_model);
    return block_RD.data();
  }

  // The first product of a layer over all positions, in rows of `ld` numbers from y on.
  void project(const LayerWeights& layer, const Matrix& matrix, float* y, int32_t ld) {
    for_blocks(length, [&](int32_t first, int32_t rows) {
      linear.apply(matrix, fine, input_RD(first, rows, layer.attention_norm), config.d_model, rows,
                   y + int64_t(first) * ld, ld);
    });
  }

  // Queries of the positions `queries`, or of more, and all keys and values, [S, 3D] in qkv_S3D.
  void project_attention(const LayerWeights& layer, std::span<const int32_t> queries) {
    const int32_t d = config.d_model, ld = 3 * d;
    // A convolution mixes neighbours' queries in.
    if (layer.conv.rows > 0 || 2 * queries.size() > size_t(length))
      return project(layer, layer.qkv, qkv_S3D.data(), ld);
    project(layer, rows_of(layer.qkv, d, 2 * d), qkv_S3D.data() + d, ld);
    const Matrix query = rows_of(layer.qkv, 0, d);
    for (const int32_t s : queries)
      linear.apply(query, fine, input_RD(s, 1, layer.attention_norm), d, 1,
                   qkv_S3D.data() + int64_t(s) * ld, ld);
  }

  // Computes a local layer's mixing at the positions `queries` into context_SD.
  void mix_neighbours(const LayerWeights& layer, std::span<const int32_t> queries) {
    project(layer, layer.value, qkv_S3D.data(), config.d_model);
    convolve(qkv_S3D.data(), length, layer.conv, queries, context_SD.data());
    if (trace != nullptr) trace_taps(qkv_S3D.data(), length, layer.conv, trace);
  }

  // Computes attention at the positions `queries` into context_SD.
  void attend(const LayerWeights& layer, std::span<const int32_t> queries, float* kept) {
    project_attention(layer, queries);
    const float* qkv = qkv_S3D.data();
    if (layer.conv.rows > 0) {
      convolve(qkv, length, layer.conv, std::span(all).first(size_t(length)), mixed_S3D.data());
      qkv = mixed_S3D.data();
    }
    attention.run(qkv, length, queries, layer.offsets, context_SD.data(), kept);
    if (trace == nullptr) return;
    append(qkv, int64_t(length) * 3 * config.d_model, &trace->qkv_AS3D);
    if (layer.offsets.rows > 0) trace_offsets(layer.offsets, length, trace);
  }

  // Scales the heads of R rows of a context by the gates of the layer's input.
  void gate_heads(const LayerWeights& layer, int32_t first, int32_t rows, float* context_RD) {
    const int32_t d = config.d_model, heads = config.n_heads, width = d / heads;
    multiply_transposed(input_RD(first, rows, layer.attention_norm), d, layer.gate.float32,
                        layer.gate.bias, gates_RH.data(), heads, rows, heads, d);
    sigmoid(gates_RH.data(), rows * heads);
    if (trace != nullptr) append(gates_RH.data(), int64_t(rows) * heads, &trace->gates_ASH);
    for (int32_t i = 0; i < rows * heads; ++i)
      scale(context_RD + int64_t(i) * width, gates_RH[size_t(i)], width);
  }

  // block_RF [R, ffn.inner's outputs] -> its first d_ff columns.
  void activate(int32_t rows) {
    const int32_t f = config.d_ff, stride = config.inner_rows();
    if (config.geglu) {
      for (int32_t r = 0; r < rows; ++r) geglu(block_RF.data() + int64_t(r) * stride, f);
    } else {
      gelu(block_RF.data(), rows * f);
    }
    for (int32_t r = 0; r < rows && trace != nullptr; ++r)
      append(block_RF.data() + int64_t(r) * stride, f, &trace->units_LSF);
  }

  // Puts zeros in the place of the heads that are off, in R rows of a context.
  void silence(int32_t layer, int32_t rows, float* context_RD) const {
    const int32_t d = config.d_model, width = d / config.n_heads;
    for (const Intervention::Head& off : changed.heads)
      for (int32_t r = 0; off.layer == layer && r < rows; ++r)
        std::fill_n(context_RD + int64_t(r) * d + int64_t(off.head) * width, width, 0.0f);
  }

  // Puts the patched states of a stage into hidden_SD, whose rows are `positions`.
  void patch(int32_t stage, std::span<const int32_t> positions) {
    for (const Intervention::Patch& patch : changed.patches) {
      if (patch.stage != stage) continue;
      const auto row = std::lower_bound(positions.begin(), positions.end(), patch.position);
      if (row != positions.end() && *row == patch.position)
        std::copy(patch.state_D.begin(), patch.state_D.end(),
                  hidden(static_cast<int32_t>(row - positions.begin())));
    }
  }

  // The branch [R, D] of a layer that is off adds nothing.
  void add_branch(bool off, int32_t first, int32_t rows, const Norm& after) {
    const int32_t d = config.d_model;
    if (off) std::fill_n(block_RD.data(), int64_t(rows) * d, 0.0f);
    for (int32_t r = 0; r < rows; ++r)
      add_residual(hidden(first + r), block_RD.data() + int64_t(r) * d, after);
  }

  // Leaves the rows of `queries` alone in hidden_SD.
  void run_layer(int32_t index, std::span<const int32_t> queries, float* kept) {
    const LayerWeights& layer = model.layer(index);
    const int32_t d = config.d_model;
    if (index < config.local_layers) {
      mix_neighbours(layer, queries);
    } else {
      attend(layer, queries, kept);
    }
    const bool off = changed.layer_is_off(index);
    const int32_t count = static_cast<int32_t>(queries.size());
    for (int32_t r = 0; r < count && count < length; ++r)
      std::copy_n(hidden(queries[size_t(r)]), d, hidden(r));
    for_blocks(count, [&](int32_t first, int32_t rows) {
      float* context_RD = context_SD.data() + int64_t(first) * d;
      if (layer.gate.rows > 0) gate_heads(layer, first, rows, context_RD);
      silence(index, rows, context_RD);
      linear.apply(layer.output, fine, context_RD, d, rows, block_RD.data(), d);
      add_branch(off, first, rows, layer.attention_norm);
      if (trace != nullptr) append(hidden(first), int64_t(rows) * d, &trace->mids_LSD);
      linear.apply(layer.inner, fine, input_RD(first, rows, layer.ffn_norm), d, rows,
                   block_RF.data(), config.inner_rows());
      activate(rows);
      linear.apply(layer.outer, fine, block_RF.data(), config.inner_rows(), rows, block_RD.data(),
                   d);
      add_branch(off, first, rows, layer.ffn_norm);
    });
    patch(index + 1, queries);
    keep_states();
  }

  void keep_states() {
    if (trace != nullptr)
      append(hidden_SD.data(), int64_t(length) * config.d_model, &trace->states_LSD);
  }

  // The output head on a state [D] (of a pre-norm model: after the final LayerNorm).
  std::span<const float> head(const float* x_D) {
    if (!config.fills_masks()) return {};
    if (config.mlm_transform) {
      const int32_t e = config.embedding_size;
      float* h_E = embedding_E.data();
      linear.apply(model.mlm_transform, true, x_D, config.d_model, 1, h_E, e);
      gelu(h_E, e);
      norm(h_E, model.mlm_norm, e, h_E);
      x_D = h_E;
    }
    linear.apply(model.token, true, x_D, config.embedding_size, 1, logits_V.data(),
                 config.vocab_size);
    bonus.add(x_D, logits_V.data());
    return logits_V;
  }
};

Status not_finite() {
  return Status::error("the model's weights give numbers that are not finite");
}

Engine::Engine(const Model& model, Kernel kernel) : impl_(new Impl(model, kernel)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

Status Engine::encode(std::span<const int32_t> ids, std::span<const uint8_t> segments,
                      bool keep_attention, std::span<const int32_t> wanted) {
  Impl& m = *impl_;
  m.length = 0;
  Status status = m.check(ids, segments, wanted);
  if (!status.ok()) return status;
  const int32_t length = static_cast<int32_t>(ids.size());
  m.reserve(length, keep_attention);
  m.length = length;
  m.attention_kept = keep_attention;
  const std::span<const int32_t> all = std::span(m.all).first(ids.size());
  const auto& last = wanted.empty() || keep_attention ? all : wanted;
  m.wanted.assign(last.begin(), last.end());
  m.embed(ids, segments);
  m.bonus.read(ids);
  m.patch(0, all);
  m.keep_states();
  const int64_t layer_size = int64_t(m.config.n_heads) * length * length;
  for (int32_t i = 0; i < m.config.n_layers; ++i) {
    const bool keep = keep_attention && i >= m.config.local_layers;
    m.run_layer(i, i + 1 < m.config.n_layers ? all : m.wanted,
                keep ? m.kept_AHSS.data() + (i - m.config.local_layers) * layer_size : nullptr);
  }
  const int32_t rows = static_cast<int32_t>(m.wanted.size());
  if (m.config.pre_norm)
    for (int32_t r = 0; r < rows; ++r)
      m.norm(m.hidden(r), m.model.final_norm, m.config.d_model, m.hidden(r));
  if (all_finite(hidden())) return {};
  m.length = 0;
  return not_finite();
}

Status Engine::intervene(Intervention what) {
  Impl& m = *impl_;
  m.changed = {};
  const ModelConfig& c = m.config;
  const std::string error = misfit(what, {c.n_layers, c.local_layers, c.n_heads});
  if (!error.empty()) return Status::error(error);
  for (const Intervention::Patch& patch : what.patches)
    if (patch.stage < 0 || patch.stage > c.n_layers || patch.position < 0 ||
        patch.state_D.size() != size_t(c.d_model))
      return Status::error("found a patch of " + std::to_string(patch.state_D.size()) +
                           " numbers at position " + std::to_string(patch.position) + " of stage " +
                           std::to_string(patch.stage) + ", expected " + std::to_string(c.d_model) +
                           " at one of stages 0 to " + std::to_string(c.n_layers));
  m.changed = std::move(what);
  return {};
}

Status Engine::trace(std::span<const int32_t> ids, Trace* trace) {
  *trace = {};
  const size_t embeddings = ids.size() * size_t(impl_->config.embedding_size);
  for (auto* part : {&trace->token_SE, &trace->segment_SE}) part->resize(embeddings);
  if (!impl_->config.relative_position) trace->position_SE.resize(embeddings);
  impl_->trace = trace;
  const Status status = encode(ids, {}, true);
  impl_->trace = nullptr;
  return status;
}

void Engine::restore() { impl_->changed = {}; }

bool Engine::is_patched() const { return !impl_->changed.patches.empty(); }

int32_t Engine::length() const { return impl_->length; }

std::span<const float> Engine::hidden() const {
  const size_t rows = impl_->length == 0 ? 0 : impl_->wanted.size();
  return {impl_->hidden_SD.data(), rows * size_t(impl_->config.d_model)};
}

std::span<const float> Engine::logits(int32_t position) {
  Impl& m = *impl_;
  const auto found = std::lower_bound(m.wanted.begin(), m.wanted.end(), position);
  if (m.length == 0 || found == m.wanted.end() || *found != position) return {};
  return m.head(m.hidden(static_cast<int32_t>(found - m.wanted.begin())));
}

std::span<const float> Engine::span_logits() {
  Impl& m = *impl_;
  const size_t rows = m.length == 0 ? 0 : m.wanted.size();
  m.spans_S2.resize(2 * rows);
  multiply_transposed(m.hidden_SD.data(), m.config.d_model, m.model.span.float32, m.model.span.bias,
                      m.spans_S2.data(), 2, static_cast<int32_t>(rows), 2, m.config.d_model);
  return m.spans_S2;
}

std::span<const float> Engine::label_logits() {
  Impl& m = *impl_;
  if (m.length == 0) return {};
  const int32_t d = m.config.d_model, rows = static_cast<int32_t>(m.wanted.size());
  m.pooled_2D.resize(size_t(2 * d));
  float *input_D = m.pooled_2D.data(), *pooled_D = input_D + d;
  std::copy_n(m.hidden(0), d, input_D);
  if (m.model.pooler.rows == 0) {
    for (int32_t r = 1; r < rows; ++r) add(input_D, m.hidden(r), d);
    scale(input_D, 1.0f / static_cast<float>(rows), d);
    pooled_D = input_D;
  } else {
    m.linear.apply(m.model.pooler, true, input_D, d, 1, pooled_D, d);
    tanh_of(pooled_D, d);
  }
  const int32_t labels = m.model.sequence.rows;
  m.labels_C.resize(size_t(labels));
  multiply_transposed(pooled_D, d, m.model.sequence.float32, m.model.sequence.bias,
                      m.labels_C.data(), labels, 1, labels, d);
  return m.labels_C;
}

std::span<const float> Engine::tag_logits() {
  Impl& m = *impl_;
  const int32_t rows = m.length == 0 ? 0 : static_cast<int32_t>(m.wanted.size());
  const int32_t tags = m.model.tag.rows;
  m.tags_SC.resize(size_t(rows) * size_t(tags));
  multiply_transposed(m.hidden_SD.data(), m.config.d_model, m.model.tag.float32, m.model.tag.bias,
                      m.tags_SC.data(), tags, rows, tags, m.config.d_model);
  return m.tags_SC;
}

std::span<const float> Engine::logits_of(std::span<const float> state_D) {
  Impl& m = *impl_;
  if (!m.config.pre_norm) return m.head(state_D.data());
  m.norm(state_D.data(), m.model.final_norm, m.config.d_model, m.block_RD.data());
  return m.head(m.block_RD.data());
}

std::span<const int32_t> Engine::shown_pieces() const { return impl_->bonus.shown(); }

std::span<const float> Engine::shown_bonus() const { return impl_->bonus.added(); }

size_t Engine::top_k(std::span<Candidate> out, std::span<const uint8_t> allowed) const {
  return best_of(impl_->logits_V, allowed, out);
}

Standing Engine::place(int32_t id, std::span<const uint8_t> allowed) const {
  return standing_of(impl_->logits_V, allowed, id);
}

std::span<const float> Engine::attention(int32_t layer, int32_t head) const {
  const Impl& m = *impl_;
  if (!m.attention_kept || m.length == 0 || layer < m.config.local_layers ||
      layer >= m.config.n_layers || head < 0 || head >= m.config.n_heads)
    return {};
  const size_t size = size_t(m.length) * size_t(m.length);
  const auto kept = size_t(layer - m.config.local_layers);
  return {m.kept_AHSS.data() + (kept * size_t(m.config.n_heads) + size_t(head)) * size, size};
}

Kernel Engine::kernel() const { return impl_->kernel; }

}  // namespace minibert::infer
