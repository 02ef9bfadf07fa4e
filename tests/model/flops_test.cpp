// The counted operations against those that LibTorch is seen to compute: every matrix product of a forward and
// backward pass, by its operands' shapes.
#include "model/flops.h"

#include <ATen/record_function.h>

#include <catch2/catch.hpp>

#include "model/bag.h"
#include "model/lstm.h"
#include "model/ops/cpu_values.h"
#include "small_model.h"

namespace minibert {
namespace {

double seen = 0;

// Two-dimensional products and batches of them; all others are made of these.
std::unique_ptr<at::ObserverContext> see(const at::RecordFunction& function) {
  const std::string name = function.name();
  const size_t first = name == "aten::addmm" ? 1 : 0;
  if (name != "aten::mm" && name != "aten::bmm" && name != "aten::addmm") return nullptr;
  const auto inputs = function.inputs();
  const torch::Tensor a = inputs[first].toTensor(), b = inputs[first + 1].toTensor();
  seen += 2.0 * static_cast<double>(a.numel()) * static_cast<double>(b.size(-1));
  return nullptr;
}

template <class Pass>
double seen_of(const Pass& pass) {
  seen = 0;
  const auto handle = at::addGlobalCallback(
      at::RecordFunctionCallback(see).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
  pass();
  at::removeCallback(handle);
  return seen;
}

// Newer versions of LibTorch leave a whole LSTM layer to one operation of oneDNN, whose products nobody sees. While
// this lives they are computed one by one.
class WithoutOneDnn {
 public:
  WithoutOneDnn() { at::globalContext().setUserEnabledMkldnn(false); }
  ~WithoutOneDnn() { at::globalContext().setUserEnabledMkldnn(before_); }
  WithoutOneDnn(const WithoutOneDnn&) = delete;
  WithoutOneDnn& operator=(const WithoutOneDnn&) = delete;

 private:
  bool before_ = at::globalContext().userEnabledMkldnn();
};

// A model on padded rows of 9 pieces, of which it reads 4 each and predicts 7 in all.
struct Pretraining {
  explicit Pretraining(const BertConfig& config) : bert(model(config)) {}

  void run(bool with_queries, bool judges) {
    const Rows batch = rows(9);
    const torch::Tensor queries =
        with_queries
            ? torch::tensor({0, 1, 3, 5, 0, 2, 4, 0, 0, 1, 2, 6}, torch::kInt64).view({3, 4})
            : torch::Tensor();
    const torch::Tensor hidden = bert->encode(batch.ids, batch.segments, queries);
    const torch::Tensor positions = torch::tensor({1, 2, 3, 5, 6, 9, 10}, torch::kInt64);
    torch::Tensor loss =
        bert->mlm(hidden, positions, torch::full({7}, 8, torch::kInt64), batch.ids).loss;
    if (judges) loss = loss + bert->nsp(hidden).sum();
    loss.backward();
  }
  double counted(bool with_queries, bool judges) const {
    return bert->flops({3, 9, with_queries ? 4 : 9}, 7, judges).both();
  }

  std::shared_ptr<PretrainingModel> bert;
};

// Three rows of 9 positions, each channel of which has `taps` products, forward and two backward.
double of_convolution(int64_t taps, int64_t channels) {
  return static_cast<double>(3 * 2 * 3 * 9 * taps * channels);
}

// A BERT's encoder by hand, forward and backward, with D 16, F 24, H 4, V 40, 3 rows of 9, 7 predicted.
constexpr double kByHand =
    3 * 2 * (27.0 * 16 * 48 + 2 * 27 * 9 * 16 + 27 * 16 * 16 + 2 * 27 * 16 * 24) * 2 +
    3 * 2 * (7.0 * 16 * 40);

}  // namespace

TEST_CASE(
    "the operations of a BERT are those that it computes, and those that one counts by hand") {
  Pretraining plain(small_config());
  CHECK(plain.counted(false, false) == kByHand);
  for (const bool queries : {false, true})
    for (const bool judges : {false, true})
      CHECK(plain.counted(queries, judges) == seen_of([&] { plain.run(queries, judges); }));
}

TEST_CASE(
    "the operations of relative positions, local layers, convolutions, GEGLU, gates and heads") {
  BertConfig config = with_layer_options(small_config());
  config.embedding_size = 8;
  config.mlm_transform = config.mlm_bias = true;
  config.mlm_context = 2;
  // One local layer over D, one convolution over queries, keys and values.
  const double convolutions = of_convolution(kLocalTaps, 16) + of_convolution(3, 48);
  for (const char* norm : {"pre", "post"}) {
    config.norm = norm;
    Pretraining all(config);
    for (const bool queries : {false, true})
      CHECK(all.counted(queries, true) == seen_of([&] { all.run(queries, true); }) + convolutions);
  }
  config.local_layers = 2;  // the last layer reads chosen positions without attention
  config.conv = 0;
  Pretraining local(config);
  CHECK(local.counted(true, false) ==
        seen_of([&] { local.run(true, false); }) + 2 * of_convolution(kLocalTaps, 16));
}

TEST_CASE("the operations of shared layers, other decoders and bf16 are those of as many layers") {
  BertConfig config = small_config();
  config.share_layers = true;
  config.n_layers = 3;
  config.mlm_tied = false;
  Pretraining shared(config);
  shared.bert->bert().set_compute_type(torch::kBFloat16);
  CHECK(shared.counted(true, true) == seen_of([&] { shared.run(true, true); }));
}

TEST_CASE("the operations of an LSTM and of a bag of pieces with a head") {
  const WithoutOneDnn one_by_one;
  const AtenFormsOnly where_products_are_seen;
  const Rows batch = rows(9);
  LstmConfig config;
  config.vocab_size = 40;
  config.d_model = 16;
  LstmEncoder lstm(config);
  lstm.initialize(1);
  SpanHead spans(16, 0);
  spans.initialize(lstm, 1);
  const double found =
      seen_of([&] { spans(lstm.encode(batch.ids, batch.segments)).sum().backward(); });
  CHECK((lstm.flops({3, 9, 9}) + spans.flops(27)).both() == found);

  BagConfig bag_config;
  bag_config.vocab_size = 40;
  bag_config.d_model = 16;
  BagEncoder bag(bag_config);
  bag.initialize(1);
  SequenceHead head(16, 5, /*pooler=*/false, 0);
  head.initialize(bag, 1);
  const double of_bag = seen_of([&] {
    head(bag.pooled(bag.encode(batch.ids, batch.segments), batch.ids), 0).sum().backward();
  });
  CHECK(of_bag == 3 * 2 * 3 * 16 * 5);
  CHECK((bag.flops({3, 9, 9}) + head.flops(3)).both() == of_bag);
}

}  // namespace minibert
