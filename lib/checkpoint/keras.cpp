#include "checkpoint/keras.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/h5.h"
#include "core/zip.h"
#include "text/tokenizer.h"

namespace minibert {
namespace {

constexpr char kBertLayer[] = "bert", kSentenceLayer[] = "pooled_nsp";
constexpr int64_t kCourseHead = 64;

[[noreturn]] void refuse_keras_3(const std::string& path) {
  throw Error(
      path +
      ": found a file of Keras 3, expected one that Keras 2 writes by "
      "save_weights(\"NAME.hdf5\") or save(\"NAME.h5\"); with TF_USE_LEGACY_KERAS=1 and the "
      "package tf-keras TensorFlow saves with Keras 2");
}

// [inputs, outputs], as Keras keeps a dense layer's kernel, -> [outputs, inputs].
std::vector<float> transposed(const std::vector<float>& values, int64_t rows, int64_t cols) {
  std::vector<float> out(values.size());
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      out[static_cast<size_t>(c * rows + r)] = values[static_cast<size_t>(r * cols + c)];
  return out;
}

// The weights of one layer, taken in their order: the names' last part says what each is ("kernel:0").
class KerasLayer {
 public:
  KerasLayer(const h5::File& file, const std::string& group)
      : file_(file), group_(group), names_(file.strings_attribute(group, "weight_names")) {
    for (const std::string& name : names_)
      if (!name.ends_with(":0")) refuse_keras_3(file.path());
  }

  const std::vector<std::string>& weights() const { return names_; }
  bool at_end() const { return next_ == names_.size(); }
  const std::vector<int64_t>& shape_of_next() {
    read_next();
    return shape_;
  }

  // The next weight, whose name ends in `ending` and whose shape is `shape`; -1 fits any extent but 0.
  std::vector<float> take(const std::string& ending, const std::vector<int64_t>& shape) {
    read_next();
    const std::string& name = names_[next_];
    if (!name.ends_with("/" + ending + ":0"))
      fail(name, "expected a weight whose name ends in \"/" + ending + ":0\" here");
    const bool fits = std::ranges::equal(
        shape_, shape, [](int64_t a, int64_t b) { return a > 0 && (b < 0 || a == b); });
    if (!fits) fail(name, "found shape " + shape_text(shape_) + ", expected " + shape_text(shape));
    if (!std::ranges::all_of(values_, [](float value) { return std::isfinite(value); }))
      fail(name, "found a value that is not finite");
    ++next_;
    read_ = false;
    return std::move(values_);
  }
  void finish() const {
    if (!at_end())
      fail(names_[next_],
           "is left over, expected " + std::to_string(next_) + " weights in " + group_);
  }

 private:
  void read_next() {
    if (read_) return;
    if (at_end())
      throw Error(file_.path() + ": " + group_ + ": has " + std::to_string(names_.size()) +
                  " weights, expected more");
    values_ = file_.read<float>(group_ + "/" + names_[next_], &shape_);
    read_ = true;
  }
  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    throw Error(file_.path() + ": " + group_ + "/" + name + ": " + what);
  }

  const h5::File& file_;
  std::string group_;
  std::vector<std::string> names_;
  size_t next_ = 0;
  bool read_ = false;  // values_ and shape_ are the next weight's
  std::vector<float> values_;
  std::vector<int64_t> shape_;
};

class KerasReader {
 public:
  explicit KerasReader(const std::string& path) : file_(h5::File::open(path)) {
    if (file_.exists("/layers") || file_.exists("/bert/embedding/vars")) refuse_keras_3(path);
    // save_weights writes at the root, model.save below it.
    base_ = file_.exists("/model_weights") ? "/model_weights" : "";
    layers_ = file_.strings_attribute(base_.empty() ? "/" : base_, "layer_names");
  }

  Checkpoint read(int64_t n_heads) {
    out_.format = "keras";
    if (std::ranges::find(layers_, kBertLayer) == layers_.end())
      throw Error(file_.path() +
                  ": layer_names: has no layer \"bert\", expected the course's pretraining model");
    read_bert(n_heads);
    return std::move(out_);
  }

 private:
  KerasLayer layer(const std::string& name) const { return {file_, base_ + "/" + name}; }
  // Those that have weights, in the model's order.
  std::vector<std::string> weighted() const {
    std::vector<std::string> out;
    for (const std::string& name : layers_)
      if (!layer(name).weights().empty()) out.push_back(name);
    return out;
  }

  void read_bert(int64_t n_heads) {
    KerasLayer bert = layer(kBertLayer);
    read_embeddings(&bert);
    c_.n_layers = count_layers(bert.weights());
    c_.n_heads = n_heads > 0 ? n_heads : std::max<int64_t>(1, c_.d_model / kCourseHead);
    if (c_.d_model % c_.n_heads != 0)
      throw usage_error("--heads: found " + std::to_string(c_.n_heads) +
                        ", expected a divisor of d_model " + std::to_string(c_.d_model));
    for (int64_t i = 0; i < c_.n_layers; ++i) read_layer(i, &bert);
    bert.finish();
    out_.architecture = "BERT";
    out_.model = c_;
    read_heads();
  }

  // The sentence head, where the model has one. Throws Error for a layer of another model that has weights.
  void read_heads() {
    for (const std::string& name : weighted()) {
      if (name == kSentenceLayer)
        read_sentence_head();
      else if (name != kBertLayer)
        throw Error(file_.path() + ": " + base_ + "/" + name + ": found a layer with " +
                    std::to_string(layer(name).weights().size()) +
                    " weights, expected none but \"bert\" and \"pooled_nsp\" of the course's "
                    "pretraining model");
    }
  }

  void read_sentence_head() {
    KerasLayer pooled = layer(kSentenceLayer);
    dense(&pooled, "nsp.dense", c_.d_model, c_.d_model);
    add("nsp.output.weight", {2, c_.d_model},
        transposed(pooled.take("kernel", {c_.d_model, 2}), c_.d_model, 2));
    pooled.finish();
    out_.sentence_task = SentenceTask::swap;
  }

  // Encoder layers are named encoder_layer_0, encoder_layer_1, …
  static int64_t count_layers(const std::vector<std::string>& names) {
    std::set<std::string> found;
    for (const std::string& name : names)
      if (const size_t at = name.find("encoder_layer_"); at != std::string::npos)
        found.insert(name.substr(at, name.find('/', at) - at));
    return static_cast<int64_t>(found.size());
  }

  void read_embeddings(KerasLayer* bert) {
    const std::string ours = "bert.embeddings.";
    const std::vector<int64_t> table = bert->shape_of_next();
    std::vector<float> values = bert->take("weights", {-1, -1});
    c_.vocab_size = table[0], c_.d_model = c_.embedding_size = table[1];
    add(ours + "token.weight", table, std::move(values));
    const std::vector<int64_t> position = bert->shape_of_next();
    values = bert->take("embeddings", {-1, c_.d_model});
    c_.max_positions = position[0];
    add(ours + "position.weight", position, std::move(values));
    const std::vector<int64_t> segment = bert->shape_of_next();
    values = bert->take("embeddings", {2, c_.d_model});
    add(ours + "segment.weight", segment, std::move(values));
    norm(bert, ours + "norm");
  }

  void read_layer(int64_t i, KerasLayer* bert) {
    const std::string ours = "bert.layers." + std::to_string(i) + ".";
    const int64_t d = c_.d_model;
    if (bert->shape_of_next() == std::vector<int64_t>{d, 3 * d}) {
      dense(bert, ours + "attention.qkv", d, 3 * d);
    } else {
      std::vector<float> weight, bias;
      for (int part = 0; part < 3; ++part) {
        const auto kernel = transposed(bert->take("kernel", {d, d}), d, d);
        const auto added = bert->take("bias", {d});
        weight.insert(weight.end(), kernel.begin(), kernel.end());
        bias.insert(bias.end(), added.begin(), added.end());
      }
      add(ours + "attention.qkv.weight", {3 * d, d}, std::move(weight));
      add(ours + "attention.qkv.bias", {3 * d}, std::move(bias));
    }
    dense(bert, ours + "attention.output", d, d);
    norm(bert, ours + "attention_norm");
    if (i == 0 && bert->shape_of_next().size() == 2) c_.d_ff = bert->shape_of_next()[1];
    dense(bert, ours + "ffn.inner", d, c_.d_ff);
    dense(bert, ours + "ffn.outer", c_.d_ff, d);
    norm(bert, ours + "ffn_norm");
  }

  void dense(KerasLayer* from, const std::string& ours, int64_t inputs, int64_t outputs) {
    add(ours + ".weight", {outputs, inputs},
        transposed(from->take("kernel", {inputs, outputs}), inputs, outputs));
    add(ours + ".bias", {outputs}, from->take("bias", {outputs}));
  }
  void norm(KerasLayer* from, const std::string& ours) {
    add(ours + ".weight", {c_.d_model}, from->take("gamma", {c_.d_model}));
    add(ours + ".bias", {c_.d_model}, from->take("beta", {c_.d_model}));
  }
  void add(const std::string& name, std::vector<int64_t> shape, std::vector<float> values) {
    out_.weights.push_back({name, std::move(shape), std::move(values)});
  }

  h5::File file_;
  std::string base_;
  std::vector<std::string> layers_;
  BertConfig c_;  // its defaults are the course's
  Checkpoint out_;
};

}  // namespace

Checkpoint import_keras(const std::string& path, const KerasSettings& settings) {
  if (is_zip(path)) refuse_keras_3(path);  // a .keras file
  Checkpoint out = KerasReader(path).read(settings.n_heads);
  out.weights_file = path;
  out.tokenizer = read_file(settings.tokenizer);
  const int32_t pieces = Tokenizer::from_bytes(out.tokenizer, settings.tokenizer).size();
  if (pieces != out.model.vocab_size)
    throw Error(settings.tokenizer + ": found " + std::to_string(pieces) + " pieces, expected " +
                std::to_string(out.model.vocab_size) + " as " + path +
                " has rows of token embeddings");
  out.files = {path, settings.tokenizer};
  return out;
}

}  // namespace minibert
