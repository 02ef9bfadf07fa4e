// For the CPU kernels: plain loops that the compiler vectorizes, compiled for several machines.
#pragma once

// One body compiled for each instruction set; the loader picks. Sanitizers cannot instrument that.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define MINIBERT_CLONES \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define MINIBERT_CLONES
#endif
#define MINIBERT_INLINE [[gnu::always_inline]] inline
