#include "cli/console.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string_view>

#include "task/all/registry.h"
#include "words/phrases.h"

namespace minibert {
namespace {

volatile std::sig_atomic_t stop_signal = 0;
volatile std::sig_atomic_t training = 0;  // steps are made, and after each one it is asked to stop

void write_line(std::string_view line) {
  const int before = errno;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
  errno = before;
}

// During preparation there is nothing to save: files on disk are complete at every moment.
void on_signal(int signal) {
  if (training == 0) {
    write_line("\nminibert: interrupted\n");
    _exit(1);
  }
  if (stop_signal != 0) return;  // the save is under way
  stop_signal = signal;
  write_line("\nminibert: stops after this step and saves the run\n");
}

std::string clock_text(double seconds) {
  const auto total = static_cast<long>(seconds + 0.5);
  char text[32];
  if (total >= 3600)
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", total / 3600, total / 60 % 60, total % 60);
  else
    std::snprintf(text, sizeof text, "%ld:%02ld", total / 60, total % 60);
  return text;
}

// How far a run is, as "[=====>    ] 52 %".
std::string bar(int64_t step, int64_t steps) {
  const double share =
      steps > 0 ? std::clamp(static_cast<double>(step) / static_cast<double>(steps), 0.0, 1.0) : 0;
  std::string cells(20, ' ');
  const auto filled = static_cast<size_t>(share * static_cast<double>(cells.size()));
  std::fill_n(cells.begin(), filled, '=');
  if (filled < cells.size()) cells[filled] = '>';
  char text[48];
  std::snprintf(text, sizeof text, "[%s] %.0f %%", cells.c_str(), 100 * share);
  return text;
}

// The first two figures that tables show.
std::string metrics_text(const Metrics& metrics) {
  std::string out;
  int shown = 0;
  for (const Measure& measure : all_measures()) {
    const auto found =
        std::ranges::find(metrics, std::string(measure.name), &Metrics::value_type::first);
    if (found == metrics.end() || !measure.in_table || shown == 2) continue;
    char text[96];
    std::snprintf(text, sizeof text, "  %s %.4g", std::string(measure.heading).c_str(),
                  found->second);
    out += text;
    ++shown;
  }
  return out;
}

}  // namespace

Console::Console(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  hangup_ = std::signal(SIGHUP, on_signal) != SIG_IGN;
  if (!hangup_) std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

Console::~Console() {
  clear();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (hangup_) std::signal(SIGHUP, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
}

void Console::message(const std::string& line) {
  clear();
  spdlog::info(told(line));
}

void Console::progress(const std::string& run, const Progress& p) {
  training = 1;
  const auto now = std::chrono::steady_clock::now();
  const auto interval = terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(30);
  if (quiet_ || now - shown_ < interval) return;
  shown_ = now;
  char text[64] = "";
  if (const auto loss = std::ranges::find(p.latest, "loss", &Metrics::value_type::first);
      loss != p.latest.end())
    std::snprintf(text, sizeof text, "  loss %.3g", loss->second);
  const std::string line =
      bar(p.step, p.steps) + "  " + run + text + "  " + clock_text(p.seconds_left) + " left";
  if (!terminal_) {
    spdlog::info(line);
    return;
  }
  std::cerr << "\r\033[K" << line << std::flush;
  live_ = true;
}

void Console::dev_metrics(const std::string& run, int64_t epoch, const Metrics& metrics,
                          bool best) {
  if (quiet_) return;
  message(run + "  epoch " + std::to_string(epoch + 1) + "  dev" + metrics_text(metrics) +
          (best ? "  (best)" : ""));
}

void Console::dev_example(const std::string& run, const std::string& text) {
  if (!quiet_) message(run + "  for example " + text);
}

void Console::run_ended() { training = 0; }

bool Console::stop_requested() { return stop_signal != 0; }

void Console::clear() {
  if (live_) std::cerr << "\r\033[K" << std::flush;
  live_ = false;
}

}  // namespace minibert
