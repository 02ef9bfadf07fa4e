#include <algorithm>
#include <atomic>
#include <filesystem>

#include "core/config_reader.h"
#include "core/file_kind.h"
#include "core/h5.h"
#include "core/h5_internal.h"
#include "core/h5_reader.h"

namespace minibert::h5 {
namespace {

Handle link_properties(hid_t kind, const std::string& where) {
  Handle list = own(H5Pcreate(kind), H5Pclose, where, "cannot make a property list");
  check(H5Pset_link_creation_order(list.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        where, "cannot keep the order of members");
  // Without times the same content is the same bytes.
  check(H5Pset_obj_track_times(list.get(), false), where, "cannot leave out times");
  return list;
}

// The record in the same folder that a name which is none comes nearest to.
std::string name_beside(const std::filesystem::path& path) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& one : std::filesystem::directory_iterator(path.parent_path(), ignored))
    if (one.path().extension() == ".h5") names.push_back(one.path().filename().string());
  return did_you_mean(path.filename().string(), names);
}

std::atomic<bool> apart = true;

// Groups within groups, which a loop of links would make endless. Records have four.
constexpr int kDeepestGroup = 16;

// File locking stays off: it fails on NFS and Lustre, and writers are kept apart by other means.
// The 1.8 format has checksums over all metadata and is old enough for every reader.
Handle access_properties(const std::string& where) {
  Handle list = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, where, "cannot make a property list");
  check(H5Pset_libver_bounds(list.get(), H5F_LIBVER_V18, H5F_LIBVER_V110), where,
        "cannot choose the format version");
  check(H5Pset_file_locking(list.get(), false, true), where, "cannot turn file locking off");
  check(H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG), where, "cannot set the way to close");
  return list;
}

}  // namespace

File::File(std::string path, Handle handle, int64_t bytes, Seal seal)
    : path_(std::move(path)), handle_(std::move(handle)), bytes_(bytes), seal_(seal) {}

File File::create(const std::string& path, Seal seal) {
  const Guard guard;
  const Handle access = access_properties(path);
  const Handle creation = link_properties(H5P_FILE_CREATE, path);
  if (seal == Seal::yes)
    check(H5Pset_userblock(creation.get(), kSealBlock), path, "cannot have a user block");
  Handle file = own(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose,
                    path, "cannot be created");
  return File(path, std::move(file), 0, seal);
}

File File::open(const std::string& path) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::not_found)
    throw Error(path + ": no such file" + name_beside(path));
  if (kind == std::filesystem::file_type::directory)
    throw Error(path + ": is a folder, expected an HDF5 file");
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) throw Error(path + ": cannot be read: " + error.message());
  if (!apart) return open_here(path);
  File file(path, {}, 0, Seal::no);
  file.reader_ = std::make_shared<Reader>(path, static_cast<int64_t>(bytes));
  file.seal_ = file.reader_->is_sealed() ? Seal::yes : Seal::no;
  return file;
}

File File::open_here(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) throw Error(path + ": cannot be read: " + error.message());
  const Seal seal = check_seal(path);
  const Guard guard;
  const Handle access = access_properties(path);
  H5PLset_loading_state(0);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
  if (id < 0) {
    const std::string message = hdf5_message();
    if (message.find("signature not found") != std::string::npos)
      throw Error(path + (is_safetensors(path)
                              ? ": a model file (.mbq or safetensors), expected a stored run"
                              : ": not an HDF5 file"));
    is_true(-1, path);  // no memory
    throw Error(path + ": cannot be opened, it may be cut off or damaged (HDF5: " + message + ")");
  }
  return File(path, Handle(id, H5Fclose), static_cast<int64_t>(bytes), seal);
}

void File::read_apart(bool yes) { apart = yes; }

std::string File::confinement() const {
  if (!reader_) return "none";
  const Confinement found = reader_->confinement();
  return std::string("a process of its own") + (found.landlock ? ", Landlock" : "") +
         (found.seccomp ? ", seccomp" : "");
}

void File::flush() {
  const Guard guard;
  check(H5Fflush(handle_.get(), H5F_SCOPE_GLOBAL), path_, "cannot be flushed");
}

void File::close() {
  flush();
  const Guard guard;
  check(H5Fclose(handle_.release()), path_, "cannot be closed");
  if (seal_ == Seal::yes) write_seal(path_);
}

bool File::exists(const std::string& object) const {
  if (reader_) return reader_->ask<bool>(Question::exists, object);
  const Guard guard;
  for (size_t slash = object.find('/', 1);; slash = object.find('/', slash + 1)) {
    const std::string part = object.substr(0, slash);
    if (part != "/" && !is_true(H5Lexists(handle_.get(), part.c_str(), H5P_DEFAULT), where(part)))
      return false;
    H5L_info_t link;
    const bool told =
        part == "/" ||
        is_true(H5Lget_info(handle_.get(), part.c_str(), &link, H5P_DEFAULT) < 0 ? -1 : 1,
                where(part));
    if (part != "/" && (!told || link.type != H5L_TYPE_HARD))
      throw Error(where(part) + ": is a link to somewhere else; minibert writes no links");
    if (slash == std::string::npos) break;
  }
  return is_true(H5Oexists_by_name(handle_.get(), object.c_str(), H5P_DEFAULT), where(object));
}

bool File::is_group(const std::string& object) const {
  if (reader_) return reader_->ask<bool>(Question::is_group, object);
  const Guard guard;
  return H5Iget_type(open_object(object).get()) == H5I_GROUP;
}

std::vector<std::string> File::children(const std::string& group) const {
  if (reader_) return reader_->ask<std::vector<std::string>>(Question::children, group);
  const Guard guard;
  if (!is_group(group)) throw Error(where(group) + ": is not a group");
  if (std::ranges::count(group, '/') > kDeepestGroup)
    throw Error(where(group) + ": groups in more than " + std::to_string(kDeepestGroup) +
                " levels; the file is damaged");
  const Handle object = open_object(group);
  const Handle list =
      own(H5Gget_create_plist(object.get()), H5Pclose, where(group), "has no properties");
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
      own(H5Gcreate2(handle_.get(), part.c_str(), H5P_DEFAULT, list.get(), H5P_DEFAULT), H5Oclose,
          where(part), "group cannot be made");
    }
    if (slash == std::string::npos) break;
  }
}

Handle File::open_object(const std::string& object) const {
  if (!exists(object)) throw Error(where(object) + ": missing");
  return own(H5Oopen(handle_.get(), object.c_str(), H5P_DEFAULT), H5Oclose, where(object),
             "cannot be opened");
}

Handle File::open_dataset(const std::string& dataset) const {
  Handle object = open_object(dataset);
  if (H5Iget_type(object.get()) != H5I_DATASET) throw Error(where(dataset) + ": is not a dataset");
  const Handle list = own(H5Dget_create_plist(object.get()), H5Pclose, where(dataset),
                          "has no readable properties");
  if (H5Pget_external_count(list.get()) > 0 || H5Pget_layout(list.get()) == H5D_VIRTUAL)
    throw Error(where(dataset) + ": keeps its values in another file; minibert never does");
  return object;
}

}  // namespace minibert::h5
