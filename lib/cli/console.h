// Shows a run on the terminal, and passes Ctrl-C to it.
#pragma once

#include <chrono>
#include <string>

#include "experiment/runner.h"

namespace minibert {

// Shows one line that rewrites itself on a terminal, elsewhere a plain line every half minute.
// While a Console lives, SIGINT, SIGTERM and SIGHUP (a closed terminal, unless nohup ignores it)
// ask the run to save and stop. The first signal says so, later ones change nothing. Before a run's
// first step there is nothing to save, and they end the program at once. A reader of stderr that
// ends (`| tee`) ends no run.
class Console : public RunListener {
 public:
  explicit Console(bool quiet);
  ~Console() override;

  void message(const std::string& line) override;
  void progress(const std::string& run, const Progress& progress) override;
  void dev_metrics(const std::string& run, int64_t epoch, const Metrics& metrics,
                   bool best) override;
  void dev_example(const std::string& run, const std::string& text) override;
  void run_ended() override;
  bool stop_requested() override;

 private:
  void clear();
  bool quiet_, terminal_;
  bool hangup_;  // SIGHUP is handled
  bool live_ = false;
  std::chrono::steady_clock::time_point shown_{};
};

}  // namespace minibert
