// Shared by the parts of the HDF5 wrapper and by nobody else: hdf5.h stays out of other files.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.h"
#include "core/h5.h"

// Instantiates DO for each type that a dataset may have.
#define MINIBERT_H5_EACH_TYPE(DO) \
  DO(uint8_t) DO(uint16_t) DO(int32_t) DO(int64_t) DO(float) DO(double)

namespace minibert::h5 {

// Every call to HDF5 happens while a Guard exists. The Guard turns off HDF5's own printing, also in
// builds where every thread has its own error stack.
class Guard {
 public:
  Guard() : lock_(*mutex()) {
    // HDF5 1.10 crashes at exit after a file could not be written; our files are closed by then.
    static const herr_t once = H5dont_atexit();
    static_cast<void>(once);
    if (H5open() < 0) throw MemoryError("HDF5 cannot be started: there is not enough memory");
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5Eclear2(H5E_DEFAULT);
  }

  // Keeps other threads out of HDF5 without starting it, for example around a fork.
  static std::unique_lock<std::recursive_mutex> lock() {
    return std::unique_lock<std::recursive_mutex>(*mutex());
  }
  // Replaces the mutex in a forked process, where the thread that locked it does not exist.
  static void renew() { mutex() = new std::recursive_mutex; }

 private:
  // Never destroyed: objects may close after static destructors have begun.
  static std::recursive_mutex*& mutex() {
    static auto* mutex = new std::recursive_mutex;
    return mutex;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

// Throws "where: what (HDF5: its message)".
[[noreturn]] void fail(const std::string& where, const std::string& what);
Handle own(hid_t id, Handle::Close close, const std::string& where, const char* what);
void check(herr_t status, const std::string& where, const char* what);
// Converts HDF5's number to a bool. Throws Error if HDF5 failed to tell.
bool is_true(htri_t found, const std::string& where);
// Returns the innermost message of HDF5's error stack on one line, or the system's in it.
std::string hdf5_message();

template <class T>
hid_t disk_type() {
  if constexpr (std::is_same_v<T, uint8_t>) return H5T_STD_U8LE;
  if constexpr (std::is_same_v<T, uint16_t>) return H5T_STD_U16LE;
  if constexpr (std::is_same_v<T, int32_t>) return H5T_STD_I32LE;
  if constexpr (std::is_same_v<T, int64_t>) return H5T_STD_I64LE;
  if constexpr (std::is_same_v<T, float>) return H5T_IEEE_F32LE;
  if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
}

template <class T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, uint8_t>) return H5T_NATIVE_UINT8;
  if constexpr (std::is_same_v<T, uint16_t>) return H5T_NATIVE_UINT16;
  if constexpr (std::is_same_v<T, int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
}

// Returns how many bytes may be read whole from a file of `bytes` bytes; damaged files claim more.
int64_t most_read(int64_t bytes);

inline constexpr hsize_t kSealBlock = 512;
// Seals a closed file that was created with room for a seal.
void write_seal(const std::string& path);
// Returns whether the file has a seal. Throws Error if the seal does not match the rest.
Seal check_seal(const std::string& path);

std::string type_name(hid_t type);
// A fixed-length UTF-8 type, padded with NULs, which h5py and HDFView show as text.
Handle text_type(size_t length, const std::string& where);
Handle variable_text_type(const std::string& where);
void check_text_type(hid_t type, const std::string& where);
std::string without_padding(const char* bytes, size_t size);
// An empty shape is a scalar.
Handle simple_space(const std::vector<int64_t>& shape, const std::string& where,
                    bool extendible = false);

}  // namespace minibert::h5
