// Which of its kernels OpenBLAS uses. It knows processors by their model numbers: on one made after
// its release it takes an older one's kernels (0.3.21 on a Zen 5: Haswell's, without AVX-512). Here
// the choice follows from what the processor can do.
#pragma once

#include <string>

namespace minibert {

// The instruction sets that tell OpenBLAS' kernels apart.
struct VectorUnits {
  bool avx2 = false;         // with FMA
  bool avx512 = false;       // F, CD, BW, DQ and VL
  bool avx512_bf16 = false;  // with all of these
};
VectorUnits detect_vector_units();

// The OpenBLAS core whose kernels use most of `units`, where that is more than those of `chosen`
// (an OpenBLAS core name); else "".
std::string better_blas_core(const std::string& chosen, const VectorUnits& units);

// The core that computes now ("Zen", "SkylakeX", …); "" where the BLAS is not OpenBLAS.
std::string blas_core();

// Makes OpenBLAS compute with the kernels of `core`, which the processor must be able to run. Not
// while a matrix product runs. False where the BLAS is another one or cannot change its core.
bool set_blas_core(const std::string& core);

// The core in the text by which records keep a BLAS ("OpenBLAS 0.3.21 … Haswell MAX_THREADS=64");
// "" where it names none.
std::string blas_core_in(const std::string& blas_name);

// Can a processor with these units run the kernels of `core`? Not said of cores that are not known.
bool can_run_core(const std::string& core, const VectorUnits& units);

// Sets the better core, if there is one, unless the user named one (OPENBLAS_CORETYPE).
void choose_blas_core();

// What to say where the user named a core that uses less than the processor can; else "".
std::string blas_core_warning();

}  // namespace minibert
