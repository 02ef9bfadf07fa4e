#include "crafted_files.h"

#include <hdf5.h>

#include <algorithm>

namespace minibert::test {
namespace {

hid_t open_for(const std::string& path, unsigned flags) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_file_locking(access, false, true);
  const hid_t file = H5Fopen(path.c_str(), flags, access);
  H5Pclose(access);
  return file;
}

std::vector<char> values_of(hid_t type, hid_t space) {
  const hssize_t count = std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 1);
  return std::vector<char>(static_cast<size_t>(count) * std::max<size_t>(H5Tget_size(type), 1));
}

template <class Make>
CraftedRecord record(const char* name, const Make& make) {
  return {name, [make](const std::string& path) {
            H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
            const hid_t file = open_for(path, H5F_ACC_RDWR);
            make(file);
            H5Fclose(file);
          }};
}

// A dataset in place of another one.
void put_dataset(hid_t file, const char* name, hid_t type, std::vector<hsize_t> shape,
                 std::vector<hsize_t> chunk, const std::function<void(hid_t)>& properties,
                 bool filled = false) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (!chunk.empty()) H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
  properties(creation);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (filled && dataset >= 0) {
    const std::vector<char> values = values_of(type, space);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  if (dataset >= 0) H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(creation);
}

constexpr char kWeight[] = "/weights/classifier.bias";
const auto nothing = [](hid_t) {};

}  // namespace

std::vector<CraftedRecord> crafted_records() {
  const hsize_t huge = hsize_t{1} << 40;
  return {
      record("an array of 4 TiB that nothing is stored of",
             [=](hid_t f) { put_dataset(f, kWeight, H5T_IEEE_F32LE, {huge}, {1 << 20}, nothing); }),
      record("an array whose size overflows 64 bits",
             [=](hid_t f) {
               put_dataset(f, kWeight, H5T_IEEE_F32LE, {huge, huge >> 18, 1 << 10}, {1024, 1, 1},
                           nothing);
             }),
      record("an array of no rows, each of 4 TiB",
             [=](hid_t f) {
               put_dataset(f, kWeight, H5T_IEEE_F32LE, {0, huge}, {}, nothing);
             }),
      record("an array of 32 dimensions whose product wraps to nothing",
             [=](hid_t f) {
               put_dataset(f, kWeight, H5T_IEEE_F32LE, std::vector<hsize_t>(32, 4),
                           std::vector<hsize_t>(32, 1), nothing);
             }),
      record("weights as arrays in a value",
             [](hid_t f) {
               const hsize_t shape[] = {2};
               const hid_t type = H5Tarray_create2(H5T_IEEE_F32LE, 1, shape);
               put_dataset(f, kWeight, type, {1}, {}, nothing, true);
               H5Tclose(type);
             }),
      record("weights as integers",
             [](hid_t f) { put_dataset(f, kWeight, H5T_STD_I32LE, {2}, {}, nothing, true); }),
      record("a chunk of 2 GiB for two values",
             [](hid_t f) { put_dataset(f, kWeight, H5T_IEEE_F32LE, {2}, {1 << 29}, nothing); }),
      record("chunks of 1 TiB as a compressed array",
             [=](hid_t f) {
               put_dataset(f, kWeight, H5T_IEEE_F32LE, {huge}, {hsize_t{1} << 29},
                           [](hid_t list) { H5Pset_deflate(list, 9); });
             }),
      record("64 MiB of zeros in 64 KiB",
             [](hid_t f) {
               put_dataset(
                   f, kWeight, H5T_IEEE_F32LE, {1 << 24}, {1 << 20},
                   [](hid_t list) { H5Pset_deflate(list, 9); }, true);
             }),
      record("three filters that unpack each other",
             [](hid_t f) {
               put_dataset(
                   f, kWeight, H5T_IEEE_F32LE, {1 << 20}, {1 << 16},
                   [](hid_t list) {
                     for (int i = 0; i < 3; ++i) H5Pset_deflate(list, 9);
                   },
                   true);
             }),
      record("a filter that nobody has",
             [](hid_t f) {
               put_dataset(
                   f, kWeight, H5T_IEEE_F32LE, {4}, {4},
                   [](hid_t list) { H5Pset_filter(list, 31337, H5Z_FLAG_OPTIONAL, 0, nullptr); },
                   true);
             }),
      record("values of another file's dataset",
             [](hid_t f) {
               const hsize_t two = 2;
               const hid_t space = H5Screate_simple(1, &two, nullptr);
               put_dataset(f, kWeight, H5T_IEEE_F32LE, {2}, {}, [&](hid_t list) {
                 H5Pset_virtual(list, space, "/tmp/other.h5", "/x", space);
               });
               H5Sclose(space);
             }),
      record("a link to itself",
             [](hid_t f) {
               H5Ldelete(f, "/config", H5P_DEFAULT);
               H5Lcreate_soft("/config", f, "/config", H5P_DEFAULT, H5P_DEFAULT);
             }),
      record("values of variable length for numbers",
             [](hid_t f) {
               const hid_t type = H5Tvlen_create(H5T_IEEE_F32LE);
               put_dataset(f, kWeight, type, {2}, {}, nothing, true);
               H5Tclose(type);
             }),
      record("a string of 16 MiB a value",
             [](hid_t f) {
               const hid_t type = H5Tcopy(H5T_C_S1);
               H5Tset_size(type, 1 << 24);
               put_dataset(f, "/config", type, {hsize_t{1} << 20}, {1}, nothing);
               H5Tclose(type);
             }),
      record("a type of types of types",
             [](hid_t f) {
               hid_t type = H5Tcopy(H5T_NATIVE_INT8);
               for (int i = 0; i < 30; ++i) {
                 const hid_t outer = H5Tcreate(H5T_COMPOUND, H5Tget_size(type));
                 H5Tinsert(outer, "a", 0, type);
                 H5Tclose(type);
                 type = outer;
               }
               put_dataset(f, "/config", type, {1}, {}, nothing, true);
               H5Tclose(type);
             }),
      record("an attribute that is an array of arrays",
             [](hid_t f) {
               const hsize_t shape[] = {16, 16};
               const hid_t type = H5Tarray_create2(H5T_NATIVE_INT64, 2, shape);
               const hid_t space = H5Screate(H5S_SCALAR);
               H5Adelete_by_name(f, "/", "seed", H5P_DEFAULT);
               const hid_t a = H5Acreate2(f, "seed", type, space, H5P_DEFAULT, H5P_DEFAULT);
               H5Aclose(a);
               H5Sclose(space);
               H5Tclose(type);
             }),
  };
}

}  // namespace minibert::test
