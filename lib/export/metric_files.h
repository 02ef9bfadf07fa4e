// Writes a run's metrics for other tools: TensorBoard's event file and CSV.
#pragma once

#include <string>

#include "record/run_record.h"

namespace minibert {

// Returns the bytes of a TensorBoard event file (events.out.tfevents…): TFRecords of
// tensorflow.Event. Each metric is a scalar with the tag "<split>/<name>" at its steps; the
// summary's figures have the tags "summary/<name>" at the last step. Wall times run from the run's
// start to its end in proportion to the steps. Formats: tensorflow/core/util/event.proto,
// core/framework/summary.proto, core/lib/io/record_writer.h.
std::string tensorboard_events(const RunRecord& record);

// Returns a line a value: experiment,profile,arm,seed,split,metric,step,value, after a header of
// these names; the summary as split "summary", without a step. Values have all their digits;
// quoting follows RFC 4180.
std::string metrics_csv(const RunRecord& record);

}  // namespace minibert
