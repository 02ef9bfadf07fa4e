// Errors, types and shapes for the parts of the HDF5 wrapper.
#include <algorithm>
#include <cstring>

#include "core/h5_internal.h"

namespace minibert::h5 {

Handle::~Handle() {
  if (id_ < 0) return;
  const Guard guard;
  close_(id_);
}

std::string hdf5_message() {
  std::string message;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* error, void* out) -> herr_t {
        if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
        return 0;
      },
      &message);
  std::replace(message.begin(), message.end(), '\n', ' ');
  static const std::string system = "error message = '";
  if (const size_t at = message.find(system); at != std::string::npos) {
    const size_t begin = at + system.size();
    return message.substr(begin, message.find('\'', begin) - begin);
  }
  return message.empty() ? "no reason given" : message;
}

namespace {

// Returns true if HDF5 failed for want of memory, which says nothing about the file. HDF5 does not
// always report it: it does not find the identifier of an object that it could not keep, and zlib
// needs only memory to begin. "inflate() failed" may mean damaged data or lack of memory.
bool ran_out_of_memory() {
  bool found = false;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
        if (error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC ||
            error->min_num == H5E_BADATOM ||
            (error->desc != nullptr && std::strcmp(error->desc, "inflateInit() failed") == 0))
          *static_cast<bool*>(out) = true;
        return 0;
      },
      &found);
  return found;
}

}  // namespace

void fail(const std::string& where, const std::string& what) {
  const std::string why = what + " (HDF5: " + hdf5_message() + ")";
  if (ran_out_of_memory()) throw MemoryError(where + ": there is not enough memory: " + why);
  throw Error(where + ": " + why);
}

bool is_true(htri_t found, const std::string& where) {
  if (found < 0 && ran_out_of_memory()) fail(where, "cannot be looked up");
  return found > 0;
}

Handle own(hid_t id, Handle::Close close, const std::string& where, const char* what) {
  if (id < 0) fail(where, what);
  return Handle(id, close);
}

void check(herr_t status, const std::string& where, const char* what) {
  if (status < 0) fail(where, what);
}

std::string type_name(hid_t type) {
  const std::string bits = std::to_string(8 * H5Tget_size(type));
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") + bits;
    case H5T_FLOAT:
      return "float" + bits;
    case H5T_STRING:
      return H5Tis_variable_str(type) > 0 ? "variable-length string" : "fixed-length string";
    default:
      return "another type";
  }
}

Handle text_type(size_t length, const std::string& where) {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, where, "cannot make a string type");
  check(H5Tset_size(type.get(), std::max<size_t>(length, 1)), where, "cannot size a string type");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), where, "cannot make a UTF-8 string type");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), where, "cannot pad a string type");
  return type;
}

Handle variable_text_type(const std::string& where) {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose, where, "cannot make a string type");
  check(H5Tset_size(type.get(), H5T_VARIABLE), where, "cannot make a string type variable");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), where, "cannot make a UTF-8 string type");
  return type;
}

void check_text_type(hid_t type, const std::string& where) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    throw Error(where + ": holds " + type_name(type) + ", expected fixed-length string");
}

std::string without_padding(const char* bytes, size_t size) {
  while (size > 0 && bytes[size - 1] == '\0') --size;
  return std::string(bytes, size);
}

Handle simple_space(const std::vector<int64_t>& shape, const std::string& where, bool extendible) {
  if (shape.empty()) return own(H5Screate(H5S_SCALAR), H5Sclose, where, "cannot make a scalar");
  const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
  std::vector<hsize_t> limits = dimensions;
  if (extendible) limits[0] = H5S_UNLIMITED;
  return own(H5Screate_simple(static_cast<int>(shape.size()), dimensions.data(), limits.data()),
             H5Sclose, where, "cannot make a shape");
}

}  // namespace minibert::h5
