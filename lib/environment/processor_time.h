// Processor time of this program.
#pragma once

namespace minibert {

// Returns user and system seconds of this process and of the children it has waited for
// (getrusage).
double processor_seconds();

}  // namespace minibert
