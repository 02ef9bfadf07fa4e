// A run as it goes, from the log beside its record: nothing is written, and a lock that is held is not
// taken, so a running program is not disturbed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "record/run_record.h"

namespace minibert {

struct LiveRun {
  std::string name;  // the record's path
  // The record's, where there is one; "stopped" of a run that would be running and that no process holds.
  std::string status = "running";
  int64_t step = 0, steps = 0, epoch = 0, epochs = 0;
  double seconds_left = 0, examples_per_second = 0;
  std::map<std::string, MetricSeries> metrics;  // "<split>/<name>", as in a record
};

// Reads `<run>.progress.jsonl` beside the record, and the record's status. Lines that are no JSON
// (the last one, while it is written) are passed over. Throws Error when there is neither log nor
// record.
LiveRun read_live(const std::string& record_path);

// A curve of `width` by `height` characters (each two by four dots of Braille), its largest and
// least value beside it; empty for fewer than two values. Lines end in "\n".
std::string text_plot(const MetricSeries& series, int width, int height);

// The run's state on one line, then a curve of each metric.
std::string live_text(const LiveRun& run, int width, int height);

}  // namespace minibert
