#include "export/agreement.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "core/error.h"
#include "core/parallel.h"
#include "infer/engine/engine.h"

namespace minibert {
namespace {

int32_t best(infer::Engine& engine, int32_t position) {
  engine.logits(position);
  infer::Candidate candidate;
  engine.top_k({&candidate, 1});
  return candidate.id;
}

void encode(infer::Engine& engine, const MaskedInstance& instance) {
  const infer::Status status =
      engine.encode(instance.ids, instance.segments, false, instance.positions);
  if (!status.ok()) throw Error(status.message());
}

void add(const Agreement& part, Agreement* total) {
  total->instances += part.instances;
  total->masked += part.masked;
  total->float_correct += part.float_correct;
  total->int8_correct += part.int8_correct;
  total->same += part.same;
}

}  // namespace

Agreement measure_agreement(const infer::Model& float_model, const infer::Model& int8_model,
                            const InstanceFile& instances, const MaskSettings& mask, uint64_t seed,
                            uint64_t limit, int threads) {
  const size_t count = limit == 0 ? instances.size() : std::min<size_t>(limit, instances.size());
  std::mutex mutex;
  Agreement total;
  parallel_over(count, threads, [&] {
    return [&, float_engine = std::make_unique<infer::Engine>(float_model),
            int8_engine = std::make_unique<infer::Engine>(int8_model)](size_t i) {
      MaskedInstance instance;
      masked_instance(instances, i, mask, seed, 0, &instance);
      encode(*float_engine, instance);
      encode(*int8_engine, instance);
      Agreement part{.instances = 1, .masked = instance.positions.size()};
      for (size_t k = 0; k < instance.positions.size(); ++k) {
        const int32_t by_float = best(*float_engine, instance.positions[k]);
        const int32_t by_int8 = best(*int8_engine, instance.positions[k]);
        part.float_correct += by_float == instance.labels[k];
        part.int8_correct += by_int8 == instance.labels[k];
        part.same += by_float == by_int8;
      }
      const std::lock_guard lock(mutex);
      add(part, &total);
    };
  });
  return total;
}

}  // namespace minibert
