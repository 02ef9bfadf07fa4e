// Facts about the build; lib/cmake/BuildInfo.cmake generates the definitions.
#pragma once

namespace minibert::build_info {

extern const char* const version;     // of the project
extern const char* const commit;      // at build time; "" without git
extern const bool dirty;              // tracked files differed from that commit
extern const char* const source_dir;  // the folder of the sources
extern const char* const build_type;  // Release, Debug, …
extern const char* const compiler;    // "GNU 12.2.0"
extern const char* const flags;       // for our own C++ code
extern const char* const hdf5;        // library versions, as found at configure time
extern const char* const sentencepiece;
extern const char* const zstd;

}  // namespace minibert::build_info
