// Processor time of this program.
#pragma once

namespace minibert {

// Returns user and system seconds of this process and its awaited children (getrusage).
double processor_seconds();

}  // namespace minibert
