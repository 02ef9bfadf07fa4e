// Tells if a run is being written; its writer holds a RunLock (record/run_record.h).
#pragma once

#include <string>

namespace minibert {

// True if a process holds the run at `record_path`. Writes nothing; briefly takes a lock.
bool run_is_held(const std::string& record_path);

}  // namespace minibert
