// Whether a run is being written; who writes one holds its RunLock (record/run_record.h).
#pragma once

#include <string>

namespace minibert {

// Whether some process holds the run at `record_path`. Writes nothing; a lock that nobody holds is taken for a moment.
bool run_is_held(const std::string& record_path);

}  // namespace minibert
