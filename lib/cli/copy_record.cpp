#include "cli/copy_record.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "compare/table.h"
#include "core/error.h"
#include "core/excerpt.h"
#include "core/files.h"
#include "core/h5.h"
#include "core/text.h"
#include "record/layout.h"
#include "record/run_record.h"

namespace minibert {
namespace {

std::string kilobytes(const std::string& file) {
  return with_thousands(static_cast<double>(std::filesystem::file_size(file)) / 1000);
}

// Adds to `lost` what `object` and all below it have in `before` and not in `after`: attributes, and parts as a whole.
void add_lost(const h5::File& before, const h5::File& after, const std::string& object,
              std::vector<std::string>* lost) {
  const std::vector<std::string> kept = after.attributes(object);
  for (const std::string& name : before.attributes(object))
    if (std::ranges::find(kept, name) == kept.end()) lost->push_back(object + " attribute " + name);
  if (!before.is_group(object)) return;
  for (const std::string& name : before.children(object)) {
    const std::string part = (object == "/" ? "" : object) + "/" + name;
    if (after.exists(part))
      add_lost(before, after, part, lost);
    else
      lost->push_back(part);
  }
}

// Throws Error naming the parts of `file` that `after`, its rewritten record, lacks, such as parts
// of other programs. Without `weights` these are left out on purpose.
void refuse_loss(const std::string& file, const std::string& after, bool weights) {
  constexpr size_t kLongestList = 400;  // bytes
  std::vector<std::string> lost;
  add_lost(h5::File::open(file), h5::File::open(after), "/", &lost);
  const std::string group = std::string(layout::kWeights) + "/";
  std::erase_if(lost, [&](const std::string& part) { return !weights && part.starts_with(group); });
  if (!lost.empty())
    throw Error(file + ": holds parts that a record does not have, which would be lost: " +
                excerpt(joined(lost), kLongestList));
}

}  // namespace

void copy_record(const std::string& file, const std::string& out, bool weights) {
  RunRecord record = load_record(file);
  if (record.status != "finished")
    throw Error(file + ": the run is " + record.status + ", expected a finished one");
  if (!weights && !record.weights.empty()) {
    record.dropped_weights = weights_sha256(record.weights);
    record.weights.clear();
  }
  replace_file(out, [&](const std::string& temporary) {
    save_record(record, temporary);
    refuse_loss(file, temporary, weights);
  });
  std::printf("%s: %s KB, %s before\n", out.c_str(), kilobytes(out).c_str(),
              kilobytes(file).c_str());
}

}  // namespace minibert
