// Whether a run record can be trusted: whole, unchanged since it was written, and plausible.
#pragma once

#include <string>
#include <vector>

namespace minibert {

struct Verification {
  std::vector<std::string>
      problems;                    // one line each, the part first: "/weights/a: 3 of 8 values …"
  std::vector<std::string> notes;  // what could not be checked, no fault
  std::string status;              // of the run; empty when the record cannot be opened
  // SHA-256: of the weights, of the configuration's text (two runs of one configuration have the
  // same), of the tokenizer's bytes.
  std::string weights_sha256, config_sha256, tokenizer_sha256;
  std::string reading;  // what its reader could do meanwhile (h5::File::confinement)
};

// Format, version and every part with its checksum (as load_record); that the weights, the metrics
// and the summary are finite numbers; that metrics go forward in steps; that a finished run has a
// summary and an end, a stopped one what it needs to go on, a failed one its error; that the
// tokenizer is the one that /data names. Never throws for what a file holds: that is a problem.
// Throws Error where there is not enough memory.
Verification verify_record(const std::string& path);

}  // namespace minibert
