// Compiles plain loops of the CPU kernels, vectorized, for several instruction sets.
#pragma once

// One body for each instruction set; the loader picks. Sanitizers cannot instrument clones.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define MINIBERT_CLONES \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define MINIBERT_CLONES
#endif
#define MINIBERT_INLINE [[gnu::always_inline]] inline
