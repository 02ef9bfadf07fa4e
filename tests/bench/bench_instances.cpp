// Pretraining instances: ours against the course's Python steps (course_instances.py: encode, JSON
// lines, load), one thread each, both ending with padded int32 arrays in memory; and the peak
// memory for a text and for ten times that text. Usage: bench_instances TEXT MODEL [MEGABYTES]
// Takes the first megabytes (10) of the text, or the text several times over. $PYTHON (python3)
// needs sentencepiece and numpy. Prints one JSON line; fails when the two make different numbers of
// instances, when the ratio is below 8, or when memory grows with the text.
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/error.h"
#include "data/instances/instances.h"
#include "text/line_reader.h"

namespace {

using namespace minibert;
namespace fs = std::filesystem;

constexpr double kRequiredRatio = 8;  // half of what an idle machine gives
constexpr double kMostGrowth = 8;     // megabytes of the peak, for ten times the text
constexpr int kLength = 128;

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Documents of the text until they have the bytes; a shorter text is gone through again.
void copy_text(const std::string& from, const std::string& to, size_t bytes) {
  std::ofstream out(to, std::ios::binary);
  for (size_t written = 0; written < bytes;) {
    LineReader reader(from);
    for (std::string line; reader.next(&line) && (written < bytes || !line.empty());) {
      out << line << '\n';
      written += line.size() + 1;
    }
    if (reader.line_number() == 0) throw Error(from + ": is empty");
    out << '\n';
  }
  out.close();
  if (!out) throw Error(to + ": cannot be written");
}

// What load_pre_train_data gives: the inputs and labels of all instances, padded with 0.
struct Arrays {
  std::vector<int32_t> tokens, segments, nsp, mlm;
};

Arrays load(const std::string& path) {
  const InstanceFile file(path);
  Arrays out;
  for (auto* array : {&out.tokens, &out.segments, &out.mlm}) array->resize(file.size() * kLength);
  out.nsp.resize(file.size());
  MaskedInstance instance;
  for (size_t i = 0; i < file.size(); ++i) {
    masked_instance(file, i, {}, 1, 0, &instance);
    const auto row = static_cast<std::ptrdiff_t>(i) * kLength;
    std::copy(instance.ids.begin(), instance.ids.end(), out.tokens.begin() + row);
    std::copy(instance.segments.begin(), instance.segments.end(), out.segments.begin() + row);
    for (size_t k = 0; k < instance.positions.size(); ++k)
      out.mlm[static_cast<size_t>(row + instance.positions[k])] = instance.labels[k];
    out.nsp[i] = instance.nsp;
  }
  return out;
}

// Megabytes at the highest, of a process of its own that makes instances of the text `times` over.
double peak_memory(const std::string& text, const Tokenizer& tokenizer,
                   const InstanceSettings& settings, const std::string& out, size_t times) {
  const pid_t child = fork();
  if (child < 0) throw Error("bench_instances: no further process can be started");
  if (child == 0) {
    try {
      create_instances(std::vector<std::string>(times, text), tokenizer, settings, out, 2);
    } catch (const std::exception& error) {
      std::cerr << error.what() << "\n";
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0)
    throw Error("bench_instances: the memory measurement failed");
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

nlohmann::json run_course(const std::string& text, const std::string& model,
                          const std::string& folder) {
  // Debian's own has the packages; a python3 before it in the path need not.
  const char* python = std::getenv("PYTHON");
  if (python == nullptr) python = fs::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
  const fs::path script = fs::path(__FILE__).parent_path() / "course_instances.py";
  const std::string command = std::string(python) + " '" + script.string() + "' '" + text + "' '" +
                              model + "' '" + folder + "' " + std::to_string(kLength);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw Error("bench_instances: cannot run " + command);
  std::string output;
  std::array<char, 4096> part;
  while (const size_t got = std::fread(part.data(), 1, part.size(), pipe))
    output.append(part.data(), got);
  if (pclose(pipe) != 0)
    throw Error("bench_instances: failed: " + command +
                " (it needs Python with sentencepiece and numpy; name another one in $PYTHON)");
  return nlohmann::json::parse(output);
}

int run(const std::string& source, const std::string& model, double megabytes,
        const std::string& folder) {
  const std::string text = folder + "/text.txt", out = folder + "/instances.h5";
  copy_text(source, text, static_cast<size_t>(megabytes * 1e6));
  const Tokenizer tokenizer = Tokenizer::from_file(model);
  const InstanceSettings settings{.sequence_length = kLength, .masking = Masking::fixed};

  const double peak = peak_memory(text, tokenizer, settings, out, 1);
  const double peak_of_ten = peak_memory(text, tokenizer, settings, out, 10);

  InstanceStatistics statistics;
  double made = 1e30, loaded = 1e30;
  Arrays arrays;
  for (int round = 0; round < 3; ++round) {
    made = std::min(made, seconds_of([&] {
                      statistics = create_instances({text}, tokenizer, settings, out, 1);
                    }));
    loaded = std::min(loaded, seconds_of([&] { arrays = load(out); }));
  }

  // One process, masked anew every time: what a trainer asks for each epoch.
  const InstanceFile file(out);
  const PieceRoles& roles = file.roles();
  MaskedInstance instance;
  const double masking = seconds_of([&] {
    for (size_t i = 0; i < file.size(); ++i) {
      Rng rng(1, "mask", 0, i);
      mask_instance(file.pieces(i), roles, {}, rng, &instance.ids, &instance.positions,
                    &instance.labels);
    }
  });

  nlohmann::json course = run_course(text, model, folder);
  for (int round = 0; round < 2; ++round) {
    const nlohmann::json again = run_course(text, model, folder);
    if (again["seconds"] < course["seconds"]) course = again;
  }
  if (course["instances"] != statistics.instances)
    throw Error("bench_instances: the course makes " + course["instances"].dump() +
                " instances, ours are " + std::to_string(statistics.instances));

  const double ratio = course["seconds"].get<double>() / (made + loaded);
  const double growth = peak_of_ten - peak;
  std::printf(
      "{\"name\":\"instances\",\"bytes\":%ju,\"instances\":%zu,\"course_seconds\":%.3f,"
      "\"ours_seconds\":%.3f,\"make_seconds\":%.3f,\"ratio\":%.2f,\"masked_per_second\":%.0f,"
      "\"peak_mb\":%.1f,\"peak_mb_of_ten_times_the_text\":%.1f}\n",
      static_cast<std::uintmax_t>(fs::file_size(text)), arrays.nsp.size(),
      course["seconds"].get<double>(), made + loaded, made, ratio,
      static_cast<double>(file.size()) / masking, peak, peak_of_ten);
  if (ratio < kRequiredRatio)
    std::cerr << "bench_instances: ratio " << ratio << ", expected at least " << kRequiredRatio
              << "\n";
  if (growth > kMostGrowth)
    std::cerr << "bench_instances: ten times the text takes " << growth
              << " MB more, expected at most " << kMostGrowth << "\n";
  return ratio < kRequiredRatio || growth > kMostGrowth ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: bench_instances TEXT MODEL [MEGABYTES]\n";
    return 2;
  }
  std::string folder = (fs::temp_directory_path() / "bench_instances-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::cerr << "bench_instances: " << folder << " cannot be made\n";
    return 1;
  }
  int status = 1;
  try {
    status = run(argv[1], argv[2], argc == 4 ? std::atof(argv[3]) : 10, folder);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return status;
}
