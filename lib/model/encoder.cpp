#include "model/encoder.h"

#include "model/bag.h"
#include "model/bert.h"
#include "model/lstm.h"

namespace minibert {

std::shared_ptr<Encoder> make_encoder(const ModelConfig& config) {
  switch (config.family()) {
    case ModelConfig::Family::bert:
      return std::make_shared<BertEncoder>(config.bert);
    case ModelConfig::Family::lstm:
      return std::make_shared<LstmEncoder>(config.lstm);
    case ModelConfig::Family::bag:
      return std::make_shared<BagEncoder>(config.bag);
  }
  throw std::logic_error("a model family without an encoder");
}

Model::Model(std::shared_ptr<Encoder> encoder) : encoder_(std::move(encoder)) {
  std::string name = encoder_->prefix();
  if (!name.empty()) {
    name.pop_back();
    register_module(name, encoder_);
    return;
  }
  // Without a prefix the encoder's parts are parts of the model, as records of the LSTM have them.
  for (const auto& part : encoder_->named_children()) register_module(part.key(), part.value());
}

}  // namespace minibert
