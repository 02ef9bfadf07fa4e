// Follows a run by the log beside its record. It writes nothing and takes no held lock, so that it
// does not disturb the running program.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "record/run_record.h"

namespace minibert {

struct LiveRun {
  std::string name;  // the record's path
  // The record's, if there is one; "stopped" for a "running" run that no process holds.
  std::string status = "running";
  int64_t step = 0, steps = 0, epoch = 0, epochs = 0;
  double seconds_left = 0, examples_per_second = 0;
  std::map<std::string, MetricSeries> metrics;  // "<split>/<name>", as in a record
};

// Reads `<run>.progress.jsonl` beside the record, and the record's status. Ignores lines that are
// not JSON (the last one may be incomplete). Throws Error if there is neither log nor record.
LiveRun read_live(const std::string& record_path);

// Draws a curve of `width` by `height` characters (each two by four dots of Braille) with its
// largest and least value beside it; "" for fewer than two values. Lines end in "\n".
std::string text_plot(const MetricSeries& series, int width, int height);

// Returns the run's state on one line, then a curve of each metric.
std::string live_text(const LiveRun& run, int width, int height);

}  // namespace minibert
