#include "core/h5.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <mutex>
#include <type_traits>

#include "core/error.h"

namespace minibert::h5 {
namespace {

constexpr int64_t kChunkBytes = 256 * 1024;
// Deflate cannot shrink anything further than 1032:1.
constexpr int64_t kBestCompression = 1032;

// Everything that calls HDF5 holds one of these. HDF5's own printing is off, also in builds where
// every thread has its own error stack.
class Guard {
 public:
  Guard() : lock_(mutex()) {
    // HDF5 1.10 crashes at exit after a file could not be written; our files are closed by then.
    static const herr_t once = H5dont_atexit();
    static_cast<void>(once);
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5Eclear2(H5E_DEFAULT);
  }

 private:
  // Never destroyed: objects may close after static destructors have begun.
  static std::recursive_mutex& mutex() {
    static auto* mutex = new std::recursive_mutex;
    return *mutex;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

// The innermost message of HDF5's error stack on one line; the system's own words where it has any.
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

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw Error(where + ": " + what + " (HDF5: " + hdf5_message() + ")");
}

Handle own(hid_t id, Handle::Close close, const std::string& where, const char* what) {
  if (id < 0) fail(where, what);
  return Handle(id, close);
}

void check(herr_t status, const std::string& where, const char* what) {
  if (status < 0) fail(where, what);
}

int close_file(int64_t id) { return H5Fclose(id); }
int close_dataset(int64_t id) { return H5Dclose(id); }
int close_object(int64_t id) { return H5Oclose(id); }
int close_attribute(int64_t id) { return H5Aclose(id); }
int close_space(int64_t id) { return H5Sclose(id); }
int close_type(int64_t id) { return H5Tclose(id); }
int close_list(int64_t id) { return H5Pclose(id); }

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

template <class T>
void check_type(hid_t dataset, const std::string& where) {
  const Handle type = own(H5Dget_type(dataset), close_type, where, "has no readable type");
  if (H5Tequal(type.get(), disk_type<T>()) > 0) return;
  throw Error(where + ": holds " + type_name(type.get()) + ", expected " +
              type_name(disk_type<T>()));
}

// Fixed-length UTF-8, padded with NULs, which h5py and HDFView show as text.
Handle text_type(size_t length, const std::string& where) {
  Handle type = own(H5Tcopy(H5T_C_S1), close_type, where, "cannot make a string type");
  check(H5Tset_size(type.get(), std::max<size_t>(length, 1)), where, "cannot size a string type");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), where, "cannot make a UTF-8 string type");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), where, "cannot pad a string type");
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

std::vector<int64_t> shape_of(hid_t dataset, const std::string& where) {
  const Handle space = own(H5Dget_space(dataset), close_space, where, "has no readable shape");
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0) fail(where, "has no readable shape");
  std::vector<hsize_t> dimensions(static_cast<size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr);
  return {dimensions.begin(), dimensions.end()};
}

Handle simple_space(const std::vector<int64_t>& shape, const std::string& where,
                    bool extendible = false) {
  if (shape.empty()) return own(H5Screate(H5S_SCALAR), close_space, where, "cannot make a scalar");
  const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
  std::vector<hsize_t> limits = dimensions;
  if (extendible) limits[0] = H5S_UNLIMITED;
  return own(H5Screate_simple(static_cast<int>(shape.size()), dimensions.data(), limits.data()),
             close_space, where, "cannot make a shape");
}

// Selects rows [first, first + rows) of the dataset.
Handle select_rows(hid_t dataset, const std::vector<int64_t>& shape, int64_t first, int64_t rows,
                   const std::string& where) {
  Handle space = own(H5Dget_space(dataset), close_space, where, "has no readable shape");
  std::vector<hsize_t> start(shape.size(), 0);
  std::vector<hsize_t> count(shape.begin(), shape.end());
  start[0] = static_cast<hsize_t>(first);
  count[0] = static_cast<hsize_t>(rows);
  check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                            nullptr),
        where, "cannot select rows");
  return space;
}

Handle link_properties(hid_t kind, const std::string& where) {
  Handle list = own(H5Pcreate(kind), close_list, where, "cannot make a property list");
  check(H5Pset_link_creation_order(list.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        where, "cannot keep the order of members");
  // Without times the same content is the same bytes.
  check(H5Pset_obj_track_times(list.get(), false), where, "cannot leave out times");
  return list;
}

// File locking stays off: it fails on NFS and Lustre, and writers are kept apart by other means.
// The 1.8 format has checksums over all metadata and is old enough for every reader.
Handle access_properties(const std::string& where) {
  Handle list = own(H5Pcreate(H5P_FILE_ACCESS), close_list, where, "cannot make a property list");
  check(H5Pset_libver_bounds(list.get(), H5F_LIBVER_V18, H5F_LIBVER_V110), where,
        "cannot choose the format version");
  check(H5Pset_file_locking(list.get(), false, true), where, "cannot turn file locking off");
  check(H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG), where, "cannot set the way to close");
  return list;
}

}  // namespace

Handle::~Handle() {
  if (id_ < 0) return;
  const Guard guard;
  close_(id_);
}

Dataset::Dataset(std::string where, Handle handle, std::vector<int64_t> shape)
    : handle_(std::move(handle)), where_(std::move(where)), shape_(std::move(shape)) {
  for (size_t i = 1; i < shape_.size(); ++i) columns_ *= shape_[i];
}

template <class T>
void Dataset::append(const T* values, int64_t rows) {
  if (rows == 0) return;
  const Guard guard;
  check_type<T>(handle_.get(), where_);
  const int64_t first = shape_[0];
  std::vector<hsize_t> size(shape_.begin(), shape_.end());
  size[0] = static_cast<hsize_t>(first + rows);
  check(H5Dset_extent(handle_.get(), size.data()), where_, "cannot be extended");
  shape_[0] = first + rows;
  const Handle memory = simple_space({rows * columns_}, where_);
  const Handle file = select_rows(handle_.get(), shape_, first, rows, where_);
  check(H5Dwrite(handle_.get(), memory_type<T>(), memory.get(), file.get(), H5P_DEFAULT, values),
        where_, "cannot be written");
}

template <class T>
void Dataset::read(int64_t first, int64_t rows, T* out) const {
  if (shape_.empty() || first < 0 || rows < 0 || rows > shape_[0] - first)
    throw Error(where_ + ": rows " + std::to_string(first) + " to " + std::to_string(first + rows) +
                " asked for, it has " + std::to_string(this->rows()));
  if (rows == 0) return;
  const Guard guard;
  check_type<T>(handle_.get(), where_);
  const Handle memory = simple_space({rows * columns_}, where_);
  const Handle file = select_rows(handle_.get(), shape_, first, rows, where_);
  check(H5Dread(handle_.get(), memory_type<T>(), memory.get(), file.get(), H5P_DEFAULT, out),
        where_, "cannot be read");
}

template <class T>
std::vector<T> Dataset::read(int64_t first, int64_t rows) const {
  std::vector<T> out(static_cast<size_t>(std::max<int64_t>(rows, 0) * columns_));
  read(first, rows, out.data());
  return out;
}

File::File(std::string path, Handle handle, int64_t bytes)
    : path_(std::move(path)), handle_(std::move(handle)), bytes_(bytes) {}

File File::create(const std::string& path) {
  const Guard guard;
  const Handle access = access_properties(path);
  const Handle creation = link_properties(H5P_FILE_CREATE, path);
  Handle file = own(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
                    close_file, path, "cannot be created");
  return File(path, std::move(file), 0);
}

File File::open(const std::string& path) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::not_found) throw Error(path + ": no such file");
  if (kind == std::filesystem::file_type::directory)
    throw Error(path + ": is a folder, expected an HDF5 file");
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) throw Error(path + ": cannot be read: " + error.message());
  const Guard guard;
  const Handle access = access_properties(path);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
  if (id < 0) {
    const std::string message = hdf5_message();
    if (message.find("signature not found") != std::string::npos)
      throw Error(path + ": not an HDF5 file");
    throw Error(path + ": cannot be opened, it may be cut off or damaged (HDF5: " + message + ")");
  }
  return File(path, Handle(id, close_file), static_cast<int64_t>(bytes));
}

void File::flush() {
  const Guard guard;
  check(H5Fflush(handle_.get(), H5F_SCOPE_GLOBAL), path_, "cannot be flushed");
}

void File::close() {
  flush();
  const Guard guard;
  check(H5Fclose(handle_.release()), path_, "cannot be closed");
}

bool File::exists(const std::string& object) const {
  const Guard guard;
  for (size_t slash = object.find('/', 1);; slash = object.find('/', slash + 1)) {
    const std::string part = object.substr(0, slash);
    if (part != "/" && H5Lexists(handle_.get(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) break;
  }
  return H5Oexists_by_name(handle_.get(), object.c_str(), H5P_DEFAULT) > 0;
}

bool File::is_group(const std::string& object) const {
  const Guard guard;
  return H5Iget_type(open_object(object).get()) == H5I_GROUP;
}

std::vector<std::string> File::children(const std::string& group) const {
  const Guard guard;
  if (!is_group(group)) throw Error(where(group) + ": is not a group");
  const Handle object = open_object(group);
  const Handle list =
      own(H5Gget_create_plist(object.get()), close_list, where(group), "has no properties");
  unsigned order = 0;
  H5Pget_link_creation_order(list.get(), &order);
  const H5_index_t index =
      (order & H5P_CRT_ORDER_TRACKED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  std::vector<std::string> names;
  const herr_t status = H5Literate(
      object.get(), index, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
      },
      &names);
  check(status, where(group), "cannot be listed");
  return names;
}

void File::make_group(const std::string& group) {
  const Guard guard;
  for (size_t slash = group.find('/', 1);; slash = group.find('/', slash + 1)) {
    const std::string part = group.substr(0, slash);
    if (!part.empty() && part != "/" && !exists(part)) {
      const Handle list = link_properties(H5P_GROUP_CREATE, where(part));
      own(H5Gcreate2(handle_.get(), part.c_str(), H5P_DEFAULT, list.get(), H5P_DEFAULT),
          close_object, where(part), "group cannot be made");
    }
    if (slash == std::string::npos) break;
  }
}

Handle File::open_object(const std::string& object) const {
  if (!exists(object)) throw Error(where(object) + ": missing");
  return own(H5Oopen(handle_.get(), object.c_str(), H5P_DEFAULT), close_object, where(object),
             "cannot be opened");
}

Handle File::open_dataset(const std::string& dataset) const {
  Handle object = open_object(dataset);
  if (H5Iget_type(object.get()) != H5I_DATASET) throw Error(where(dataset) + ": is not a dataset");
  return object;
}

Handle File::write_attribute(const std::string& object, const std::string& name, int64_t file_type,
                             int64_t memory_type, const void* value) {
  const std::string place = where(object) + " attribute " + name;
  const Handle owner = open_object(object);
  if (H5Aexists(owner.get(), name.c_str()) > 0)
    check(H5Adelete(owner.get(), name.c_str()), place, "cannot be replaced");
  const Handle space = simple_space({}, place);
  Handle attribute =
      own(H5Acreate2(owner.get(), name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
          close_attribute, place, "cannot be made");
  check(H5Awrite(attribute.get(), memory_type, value), place, "cannot be written");
  return attribute;
}

void File::set_attribute(const std::string& object, const std::string& name,
                         const std::string& value) {
  const Guard guard;
  const Handle type = text_type(value.size(), where(object));
  std::string padded = value;
  if (padded.empty()) padded.push_back('\0');
  write_attribute(object, name, type.get(), type.get(), padded.data());
}

void File::set_attribute(const std::string& object, const std::string& name, int64_t value) {
  const Guard guard;
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void File::set_attribute(const std::string& object, const std::string& name, double value) {
  const Guard guard;
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

bool File::has_attribute(const std::string& object, const std::string& name) const {
  const Guard guard;
  const Handle owner = open_object(object);
  return H5Aexists(owner.get(), name.c_str()) > 0;
}

std::vector<std::string> File::attributes(const std::string& object) const {
  const Guard guard;
  const Handle owner = open_object(object);
  std::vector<std::string> names;
  const herr_t status = H5Aiterate2(
      owner.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
      },
      &names);
  check(status, where(object), "attributes cannot be listed");
  return names;
}

namespace {

Handle open_attribute(hid_t owner, const std::string& name, const std::string& place) {
  if (H5Aexists(owner, name.c_str()) <= 0) throw Error(place + ": missing");
  Handle attribute =
      own(H5Aopen(owner, name.c_str(), H5P_DEFAULT), close_attribute, place, "cannot be opened");
  const Handle space =
      own(H5Aget_space(attribute.get()), close_space, place, "has no readable shape");
  if (H5Sget_simple_extent_npoints(space.get()) != 1)
    throw Error(place + ": is an array, expected one value");
  return attribute;
}

}  // namespace

std::string File::string_attribute(const std::string& object, const std::string& name) const {
  const Guard guard;
  const std::string place = where(object) + " attribute " + name;
  const Handle owner = open_object(object);
  const Handle attribute = open_attribute(owner.get(), name, place);
  const Handle type = own(H5Aget_type(attribute.get()), close_type, place, "has no readable type");
  check_text_type(type.get(), place);
  std::string text(H5Tget_size(type.get()), '\0');
  check(H5Aread(attribute.get(), type.get(), text.data()), place, "cannot be read");
  return without_padding(text.data(), text.size());
}

void File::read_attribute(const std::string& object, const std::string& name, int64_t type_class,
                          int64_t memory_type, void* value) const {
  const std::string place = where(object) + " attribute " + name;
  const Handle owner = open_object(object);
  const Handle attribute = open_attribute(owner.get(), name, place);
  const Handle type = own(H5Aget_type(attribute.get()), close_type, place, "has no readable type");
  if (H5Tget_class(type.get()) != type_class)
    throw Error(place + ": holds " + type_name(type.get()) + ", expected " +
                type_name(memory_type));
  check(H5Aread(attribute.get(), memory_type, value), place, "cannot be read");
}

int64_t File::int_attribute(const std::string& object, const std::string& name) const {
  const Guard guard;
  int64_t value = 0;
  read_attribute(object, name, H5T_INTEGER, H5T_NATIVE_INT64, &value);
  return value;
}

double File::double_attribute(const std::string& object, const std::string& name) const {
  const Guard guard;
  double value = 0;
  read_attribute(object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, &value);
  return value;
}

void File::check_size(const std::string& object, const std::vector<int64_t>& shape,
                      size_t element) const {
  if (bytes_ == 0) return;
  const int64_t limit = bytes_ < std::numeric_limits<int64_t>::max() / kBestCompression
                            ? bytes_ * kBestCompression
                            : std::numeric_limits<int64_t>::max();
  int64_t size = static_cast<int64_t>(element);
  bool impossible = false;
  for (const int64_t extent : shape) {
    impossible |= extent < 0;
    impossible |= extent != 0 && __builtin_mul_overflow(size, extent, &size);
  }
  if (impossible || size > limit)
    throw Error(where(object) + ": claims to hold more than the file can; the file is damaged");
}

Handle File::create_dataset(const std::string& dataset, int64_t type,
                            const std::vector<int64_t>& shape, bool extendible,
                            const Storage& storage, size_t element) {
  const std::string place = where(dataset);
  if (const size_t slash = dataset.rfind('/'); slash != std::string::npos && slash > 0)
    make_group(dataset.substr(0, slash));
  const Handle list =
      own(H5Pcreate(H5P_DATASET_CREATE), close_list, place, "cannot make a property list");
  check(H5Pset_obj_track_times(list.get(), false), place, "cannot leave out times");
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  if (extendible || (storage.gzip > 0 && !shape.empty() && !empty)) {
    std::vector<hsize_t> chunk(shape.begin(), shape.end());
    int64_t row_bytes = static_cast<int64_t>(element);
    for (size_t i = 1; i < shape.size(); ++i) row_bytes *= shape[i];
    const int64_t fitting = std::max<int64_t>(kChunkBytes / std::max<int64_t>(row_bytes, 1), 1);
    int64_t rows = storage.chunk_rows > 0 ? storage.chunk_rows : fitting;
    if (!extendible) rows = std::min(rows, shape[0]);
    chunk[0] = static_cast<hsize_t>(rows);
    check(H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data()), place,
          "cannot be chunked");
    if (storage.gzip > 0) {
      check(H5Pset_shuffle(list.get()), place, "cannot be shuffled");
      check(H5Pset_deflate(list.get(), static_cast<unsigned>(storage.gzip)), place,
            "cannot be compressed");
    }
  }
  const Handle space = simple_space(shape, place, extendible);
  return own(H5Dcreate2(handle_.get(), dataset.c_str(), type, space.get(), H5P_DEFAULT, list.get(),
                        H5P_DEFAULT),
             close_dataset, place, "cannot be made");
}

template <class T>
void File::write(const std::string& dataset, const std::vector<int64_t>& shape, const T* values,
                 const Storage& storage) {
  const Guard guard;
  const Handle handle = create_dataset(dataset, disk_type<T>(), shape, false, storage, sizeof(T));
  check(H5Dwrite(handle.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
        where(dataset), "cannot be written");
}

template <class T>
std::vector<T> File::read(const std::string& dataset, std::vector<int64_t>* shape) const {
  const Guard guard;
  const std::string place = where(dataset);
  const Handle handle = open_dataset(dataset);
  check_type<T>(handle.get(), place);
  const std::vector<int64_t> dimensions = shape_of(handle.get(), place);
  check_size(dataset, dimensions, sizeof(T));
  int64_t count = 1;
  for (const int64_t extent : dimensions) count *= extent;
  std::vector<T> values(static_cast<size_t>(count));
  check(H5Dread(handle.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        place, "cannot be read");
  if (shape != nullptr) *shape = dimensions;
  return values;
}

void File::write_text(const std::string& dataset, const std::string& text) {
  const Guard guard;
  const Handle type = text_type(text.size(), where(dataset));
  std::string padded = text;
  if (padded.empty()) padded.push_back('\0');
  const Handle handle = create_dataset(dataset, type.get(), {}, false, {}, padded.size());
  check(H5Dwrite(handle.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()),
        where(dataset), "cannot be written");
}

std::string File::read_text(const std::string& dataset) const {
  const std::vector<std::string> texts = read_texts(dataset);
  if (texts.size() != 1) throw Error(where(dataset) + ": is an array, expected one text");
  return texts[0];
}

void File::write_texts(const std::string& dataset, const std::vector<std::string>& texts,
                       const Storage& storage) {
  const Guard guard;
  const std::string place = where(dataset);
  size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  const Handle type = text_type(width, place);
  const auto count = static_cast<int64_t>(texts.size());
  const Handle handle = create_dataset(dataset, type.get(), {count}, false, storage, width);
  // A block of rows at a time: one long text must not multiply by the number of rows in memory.
  const auto block = std::max<int64_t>(kChunkBytes / static_cast<int64_t>(width), 1);
  for (int64_t first = 0; first < count; first += block) {
    const int64_t rows = std::min(block, count - first);
    std::string bytes(static_cast<size_t>(rows) * width, '\0');
    for (int64_t row = 0; row < rows; ++row) {
      const std::string& text = texts[static_cast<size_t>(first + row)];
      std::copy(text.begin(), text.end(), bytes.begin() + row * static_cast<int64_t>(width));
    }
    const Handle memory = simple_space({rows}, place);
    const Handle file = select_rows(handle.get(), {count}, first, rows, place);
    check(H5Dwrite(handle.get(), type.get(), memory.get(), file.get(), H5P_DEFAULT, bytes.data()),
          place, "cannot be written");
  }
}

std::vector<std::string> File::read_texts(const std::string& dataset) const {
  const Guard guard;
  const std::string place = where(dataset);
  const Handle handle = open_dataset(dataset);
  const Handle type = own(H5Dget_type(handle.get()), close_type, place, "has no readable type");
  check_text_type(type.get(), place);
  const size_t width = H5Tget_size(type.get());
  const std::vector<int64_t> shape = shape_of(handle.get(), place);
  check_size(dataset, shape, width);
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  std::string bytes(static_cast<size_t>(count) * width, '\0');
  check(H5Dread(handle.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), place,
        "cannot be read");
  std::vector<std::string> texts;
  texts.reserve(static_cast<size_t>(count));
  for (size_t at = 0; at < bytes.size(); at += width)
    texts.push_back(without_padding(bytes.data() + at, width));
  return texts;
}

template <class T>
Dataset File::create_rows(const std::string& dataset, int64_t columns, const Storage& storage) {
  const Guard guard;
  std::vector<int64_t> shape = {0};
  if (columns > 0) shape.push_back(columns);
  Handle handle = create_dataset(dataset, disk_type<T>(), shape, true, storage, sizeof(T));
  return Dataset(where(dataset), std::move(handle), std::move(shape));
}

Dataset File::open_rows(const std::string& dataset) const {
  const Guard guard;
  Handle handle = open_dataset(dataset);
  std::vector<int64_t> shape = shape_of(handle.get(), where(dataset));
  if (shape.empty()) throw Error(where(dataset) + ": is one value, expected rows");
  const Handle type =
      own(H5Dget_type(handle.get()), close_type, where(dataset), "has no readable type");
  check_size(dataset, shape, H5Tget_size(type.get()));
  return Dataset(where(dataset), std::move(handle), std::move(shape));
}

#define MINIBERT_H5_TYPE(T)                                                            \
  template void Dataset::append(const T*, int64_t);                                    \
  template void Dataset::read(int64_t, int64_t, T*) const;                             \
  template std::vector<T> Dataset::read(int64_t, int64_t) const;                       \
  template void File::write(const std::string&, const std::vector<int64_t>&, const T*, \
                            const Storage&);                                           \
  template std::vector<T> File::read(const std::string&, std::vector<int64_t>*) const; \
  template Dataset File::create_rows<T>(const std::string&, int64_t, const Storage&);
MINIBERT_H5_TYPE(uint8_t)
MINIBERT_H5_TYPE(uint16_t)
MINIBERT_H5_TYPE(int32_t)
MINIBERT_H5_TYPE(int64_t)
MINIBERT_H5_TYPE(float)
MINIBERT_H5_TYPE(double)
#undef MINIBERT_H5_TYPE

}  // namespace minibert::h5
