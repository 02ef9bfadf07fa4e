// Counts this program's allocations; link allocation_counter.cpp.
#pragma once

#include <atomic>
#include <cstddef>

namespace minibert::test {
extern std::atomic<size_t> allocations;
}
