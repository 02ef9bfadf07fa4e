// The fuzzer's target for run records: bytes that choose changes of a good one, with or without its seal. Built for
// libFuzzer by tests/fuzz/run.sh, and into test_fuzz_record for a fixed number of changes.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "core/files.h"
#include "core/h5.h"
#include "record/run_record.h"
#include "record/verify.h"
#include "support/sample_record.h"

using namespace minibert;

namespace {

constexpr size_t kSeal = 512;

const std::string& good_record() {
  static const std::string bytes = [] {
    const std::string path =
        std::filesystem::temp_directory_path() / ("minibert-good-" + std::to_string(getpid()));
    save_record(testing::sample_record(), path);
    std::string read = read_file(path);
    std::filesystem::remove(path);
    return read;
  }();
  return bytes;
}

bool same_parts(const RunRecord& a, const RunRecord& b) {
  return weights_sha256(a.weights) == weights_sha256(b.weights) && a.config == b.config &&
         a.data == b.data && a.tokenizer_model == b.tokenizer_model &&
         a.predictions->texts == b.predictions->texts &&
         a.predictions->numbers == b.predictions->numbers && a.summary == b.summary &&
         a.resume->numbers == b.resume->numbers &&
         weights_sha256(a.resume->tensors) == weights_sha256(b.resume->tensors);
}

// A message is one line; anything but an Error ends the program, and with it the fuzzing.
template <class Read>
bool reads(const Read& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) {
      std::fputs(error.what(), stderr);
      std::abort();
    }
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static const std::string path =
      std::filesystem::temp_directory_path() / ("minibert-fuzz-" + std::to_string(getpid()));
  std::string bytes = good_record();
  // What crashes libhdf5 ends the process of its own that reads every file.
  const bool sealed = data[0] % 8 == 0;
  h5::File::read_apart(true);
  if (!sealed) std::fill_n(bytes.begin(), kSeal, '\0');
  const std::string unchanged = bytes;
  for (size_t i = 1; i + 3 < size; i += 4) {
    const size_t at = kSeal + (data[i] | data[i + 1] << 8) % (bytes.size() - kSeal);
    bytes[at] = static_cast<char>(bytes[at] ^ (data[i + 2] | 1));
  }
  if (data[0] / 8 % 4 == 0) bytes.resize(kSeal + bytes.size() / (2 + data[0] / 32));
  std::ofstream(path, std::ios::binary) << bytes;
  RunRecord found;
  const bool opens = reads([&] { found = load_record(path); });
  // With a seal no change may be taken for the record, without one none of what has a sum of its own.
  if (opens && (sealed ? bytes != unchanged : !same_parts(found, testing::sample_record())))
    std::abort();
  if (!opens && verify_record(path).problems.empty()) std::abort();
  std::filesystem::remove(path);
  return 0;
}
