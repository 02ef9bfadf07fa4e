// Tells if a run record can be trusted: complete, unchanged since it was written, and plausible.
#pragma once

#include <string>
#include <vector>

namespace minibert {

struct Verification {
  // One line each, the part first: "/weights/a: 3 of 8 values …"
  std::vector<std::string> problems;
  std::vector<std::string> notes;  // parts that could not be checked
  std::string status;              // of the run; empty if the record cannot be opened
  // SHA-256 of the weights, of the configuration's text (equal for two runs of one configuration)
  // and of the tokenizer's bytes.
  std::string weights_sha256, config_sha256, tokenizer_sha256;
  std::string reading;  // the reader's confinement (h5::File::confinement)
};

// Checks the format, the version and every part with its checksum (like load_record()). Weights,
// metrics and summary must be finite; steps of metrics must increase. A finished run needs a
// summary and an end, a stopped run its resume state, a failed run its error. The tokenizer must be
// the one that /data names. Faults in a file are problems, never exceptions; throws Error only for
// want of memory.
Verification verify_record(const std::string& path);

}  // namespace minibert
