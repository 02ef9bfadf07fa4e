#include "allocation_counter.h"

#include <cstdlib>
#include <new>

namespace minibert::test {
std::atomic<size_t> allocations = 0;
}

void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++minibert::test::allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(size_t size) {
  void* memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
