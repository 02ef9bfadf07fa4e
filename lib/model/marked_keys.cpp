#include "model/marked_keys.h"

#include "core/error.h"
#include "model/bert_config.h"

namespace minibert {
namespace {

class MarkLister {
 public:
  explicit MarkLister(std::vector<MarkedKey>& keys) : keys_(keys) {}
  template <class T, class... Rest>
  void operator()(const char* key, const KeyMark& mark, T& value, const Rest&...) {
    keys_.push_back({key, mark, value, nullptr});
  }
  template <class T>
  void otherwise(T&, const T&, const char*) {}
  void retired(const char*, const nlohmann::json&) {}

 private:
  std::vector<MarkedKey>& keys_;
};

std::vector<MarkedKey> listed(BertConfig config) {
  std::vector<MarkedKey> keys;
  MarkLister visitor(keys);
  marked_fields(config, visitor);
  return keys;
}

}  // namespace

std::vector<MarkedKey> marked_keys(const BertConfig& config) {
  std::vector<MarkedKey> keys = listed(config);
  const std::vector<MarkedKey> defaults = listed({});
  for (size_t i = 0; i < keys.size(); ++i) keys[i].otherwise = defaults[i].value;
  return keys;
}

void refuse_unknown_keys(std::span<const MarkedKey> keys,
                         const std::function<bool(const std::string&)>& known,
                         const std::string& who) {
  for (const MarkedKey& one : keys)
    if (one.mark.of != KeyOf::training && one.value != one.otherwise && !known(one.key))
      throw usage_error("model." + one.key + ": found " + one.value.dump() + ", expected " +
                        one.otherwise.dump() + ", all that " + who + " computes");
}

}  // namespace minibert
