// The kinds of model, and one value that holds the configuration of any kind. A kind is a struct
// with the functions of IsModelKind; a new kind is a row of the table in model_config.cpp, or of a
// program's own (AddedModelKind). Nothing else lists the kinds.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/config_reader.h"
#include "core/key_section.h"
#include "model/config.h"

namespace minibert {

class Encoder;

std::shared_ptr<Encoder> make_encoder(const BertConfig& config);
std::shared_ptr<Encoder> make_encoder(const LstmConfig& config);
std::shared_ptr<Encoder> make_encoder(const BagConfig& config);

// A kind of model: a struct with a name, a vocabulary and functions beside it (see config.h). A
// struct that lacks one does not compile as a model's configuration.
template <class Kind>
concept IsModelKind = requires(ConfigReader& reader, nlohmann::json* json, Kind* config,
                               const Kind& stored) {
  std::string(Kind::kKind);  // persisted: "kind"
  config->vocab_size = int64_t{};
  read_keys(reader, config);
  write_keys(stored, json);
  { max_positions(stored) } -> std::same_as<int64_t>;
  { set_segments(config, int64_t{}) } -> std::same_as<bool>;
  { key_section(stored) } -> std::same_as<KeySection>;
  { make_encoder(stored) } -> std::same_as<std::shared_ptr<Encoder>>;
};

namespace detail {

struct AnyKind {
  virtual ~AnyKind() = default;
  virtual int64_t vocabulary() const = 0;
  virtual int64_t positions() const = 0;
  virtual std::shared_ptr<const AnyKind> with(int64_t segments) const = 0;
  virtual void write(nlohmann::json* json) const = 0;
  virtual std::shared_ptr<Encoder> encoder() const = 0;
};

template <class Kind>
struct Held : AnyKind {
  explicit Held(Kind given) : config(std::move(given)) {}
  int64_t vocabulary() const override { return config.vocab_size; }
  int64_t positions() const override { return max_positions(config); }
  std::shared_ptr<const AnyKind> with(int64_t segments) const override {
    Kind changed = config;
    if (!set_segments(&changed, segments)) return nullptr;
    return std::make_shared<const Held>(std::move(changed));
  }
  void write(nlohmann::json* json) const override { write_keys(config, json); }
  std::shared_ptr<Encoder> encoder() const override { return make_encoder(config); }
  Kind config;
};

}  // namespace detail

// The immutable configuration of an encoder of any kind.
class ModelConfig {
 public:
  ModelConfig() : ModelConfig(BertConfig()) {}
  // `name`: the kind's name in files; the first records call the LSTM "lstm_qa".
  template <IsModelKind Kind>
  ModelConfig(Kind config, std::string name = Kind::kKind)
      : kind_(std::move(name)),
        held_(std::make_shared<const detail::Held<Kind>>(std::move(config))) {}

  const std::string& kind() const { return kind_; }
  int64_t vocab_size() const { return held_->vocabulary(); }
  int64_t max_positions() const { return held_->positions(); }
  // Empty if the kind has no table of segments.
  std::optional<ModelConfig> with_segments(int64_t segments) const;
  std::shared_ptr<Encoder> make() const { return held_->encoder(); }
  // "kind", "vocab_size" and the kind's keys.
  nlohmann::json to_json() const;
  // Null for another kind.
  template <IsModelKind Kind>
  const Kind* get_if() const {
    const auto* held = dynamic_cast<const detail::Held<Kind>*>(held_.get());
    return held == nullptr ? nullptr : &held->config;
  }

 private:
  std::string kind_;
  std::shared_ptr<const detail::AnyKind> held_;
};

inline nlohmann::json to_json(const ModelConfig& config) { return config.to_json(); }

// A row of the table of kinds: name, reader, document; null `section` for a second name.
struct ModelKind {
  std::string name;
  ModelConfig (*read)(ConfigReader& reader, int64_t vocab_size, const std::string& name);
  KeySection (*section)();
};

template <IsModelKind Kind>
ModelKind model_kind(std::string name = Kind::kKind) {
  const bool is_own = name == Kind::kKind;
  return {std::move(name),
          [](ConfigReader& reader, int64_t vocab_size, const std::string& given) {
            Kind config;
            config.vocab_size = vocab_size;
            read_keys(reader, &config);
            return ModelConfig(std::move(config), given);
          },
          is_own ? +[] { return key_section(Kind()); } : nullptr};
}

// Adds a program's own kind to the table while it lives. Create it before others read models.
class AddedModelKind {
 public:
  explicit AddedModelKind(ModelKind kind);
  ~AddedModelKind();
  AddedModelKind(const AddedModelKind&) = delete;
  AddedModelKind& operator=(const AddedModelKind&) = delete;
};

// The sections of experiments/KEYS.md on every kind, in the table's order.
std::vector<KeySection> model_kind_sections();

// Reads an encoder's keys. Other keys belong to a head or are mistakes: the caller reads its head's
// keys and calls finish(). Throws a usage Error naming the key. `vocab_size` comes from the
// tokenizer, not from the file.
ModelConfig read_model_config(ConfigReader& reader, int64_t vocab_size);
// Reads the encoder's part of a record's model; ignores keys of heads. `file` is for messages.
ModelConfig model_config_from_json(const nlohmann::json& json, const std::string& file);

}  // namespace minibert
