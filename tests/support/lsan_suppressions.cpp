// HDF5 leaks a file that it could not write or read; that is not for us to cure.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }
