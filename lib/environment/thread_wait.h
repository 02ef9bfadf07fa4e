// Shortens the time that OpenMP's threads, which compute LibTorch's products, spin at a barrier.
#pragma once

namespace minibert {

// GNU's OpenMP spins for a millisecond or more before it sleeps. If another program has one of the
// processors, the thread that all wait for does not run meanwhile, and training takes several times
// as long. OpenMP reads the variable against this (GOMP_SPINCOUNT) on loading, so the program
// restarts itself with it: `argv` is main()'s. Returns if the user has set this variable or
// OMP_WAIT_POLICY, or if the program cannot restart. Call it before anything is open.
void sleep_at_barriers(char** argv);

}  // namespace minibert
