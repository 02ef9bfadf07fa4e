#include "model/encoder.h"

namespace minibert {

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
