// Processor time that a program takes.
#pragma once

namespace minibert {

// User and system seconds of this process and of the children that it waited for (getrusage).
double processor_seconds();

}  // namespace minibert
