// Chooses OpenBLAS' kernels. OpenBLAS knows processors by their model numbers; on one made after
// its release it takes an older one's kernels (0.3.21 on a Zen 5: Haswell's, without AVX-512). Here
// the choice follows from the processor's instruction sets.
#pragma once

#include <string>

namespace minibert {

// The instruction sets that distinguish OpenBLAS' kernels.
struct VectorUnits {
  bool avx2 = false;         // with FMA
  bool avx512 = false;       // F, CD, BW, DQ and VL
  bool avx512_bf16 = false;  // with AVX2 and AVX-512, too
};
VectorUnits detect_vector_units();

// Returns the OpenBLAS core whose kernels use most of `units`, if they use more than those of
// `chosen` (an OpenBLAS core name); else "".
std::string better_blas_core(const std::string& chosen, const VectorUnits& units);

// Returns the core in use ("Zen", "SkylakeX", …); "" if the BLAS is not OpenBLAS.
std::string blas_core();

// Makes OpenBLAS use the kernels of `core`, which the processor must support. Not during a matrix
// product. Returns false if the BLAS is another one or cannot change its core.
bool set_blas_core(const std::string& core);

// Returns the core named in a record's BLAS ("OpenBLAS 0.3.21 … Haswell MAX_THREADS=64"), or "".
std::string blas_core_in(const std::string& blas_name);

// Returns true if a processor with these units can run the kernels of `core`; false for a core that
// it does not know.
bool can_run_core(const std::string& core, const VectorUnits& units);

// Sets the better core, if there is one, unless the user has named one (OPENBLAS_CORETYPE).
void choose_blas_core();

}  // namespace minibert
