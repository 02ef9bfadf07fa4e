// How long OpenMP's threads, of which LibTorch's products are made, spin at a barrier before they sleep.
#pragma once

namespace minibert {

// GNU's OpenMP lets them spin for a millisecond or more. Where something else has one of the processors, the thread
// that all wait for does not run meanwhile, and training takes several times as long. It reads the variable that
// says otherwise (GOMP_SPINCOUNT) while it is loaded, so that the program begins anew with it: `argv` is main()'s.
// Returns where the user has set this one or OMP_WAIT_POLICY, or where the program cannot be begun anew. To be called
// before anything is open.
void sleep_at_barriers(char** argv);

}  // namespace minibert
