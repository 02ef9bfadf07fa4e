#include "crafted_files.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

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

void copy_attributes(hid_t from, hid_t to) {
  H5Aiterate2(
      from, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t object, const char* name, const H5A_info_t*, void* out) -> herr_t {
        const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
        const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
        std::vector<char> values = values_of(type, space);
        H5Aread(attribute, type, values.data());
        const hid_t copy =
            H5Acreate2(*static_cast<hid_t*>(out), name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(copy, type, values.data());
        H5Aclose(copy);
        H5Sclose(space);
        H5Tclose(type);
        H5Aclose(attribute);
        return 0;
      },
      &to);
}

void copy_members(hid_t from, hid_t to);

void copy_member(hid_t from, const char* name, hid_t to) {
  const hid_t object = H5Oopen(from, name, H5P_DEFAULT);
  if (H5Iget_type(object) == H5I_GROUP) {
    const hid_t copy = H5Gcreate2(to, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    copy_attributes(object, copy);
    copy_members(object, copy);
    H5Gclose(copy);
  } else {
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    const hid_t creation = H5Dget_create_plist(object);
    std::vector<char> values = values_of(type, space);
    H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    const hid_t copy = H5Dcreate2(to, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dwrite(copy, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    copy_attributes(object, copy);
    H5Dclose(copy);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
  }
  H5Oclose(object);
}

void copy_members(hid_t from, hid_t to) {
  H5Literate(
      from, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t group, const char* name, const H5L_info_t*, void* out) -> herr_t {
        copy_member(group, name, *static_cast<hid_t*>(out));
        return 0;
      },
      &to);
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

std::string in_oldest_format(const std::string& path, const std::string& scratch_file) {
  const hid_t from = open_for(path, H5F_ACC_RDONLY);
  const hid_t to = H5Fcreate(scratch_file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  copy_attributes(from, to);
  copy_members(from, to);
  H5Fclose(to);
  H5Fclose(from);
  std::ifstream file(scratch_file, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<CraftedField> crafted_fields(const std::string& bytes) {
  // Where a structure's fields begin and how wide they are (HDF5 File Format Specification 1.1: III.A, III.B,
  // III.D, III.E, IV.A.1).
  struct Field {
    size_t at, size;
  };
  struct Structure {
    const char* name;
    std::string signature;
    std::vector<Field> fields;
  };
  const Structure structures[] = {
      {"TREE",
       "TREE",
       {{4, 1}, {5, 1}, {6, 2}, {8, 8}, {16, 8}, {24, 8}, {32, 8}, {40, 8}, {48, 8}}},
      {"SNOD", "SNOD", {{4, 1}, {6, 2}, {8, 8}, {16, 8}, {24, 4}, {32, 8}, {40, 8}, {48, 8}}},
      {"HEAP", "HEAP", {{4, 1}, {8, 8}, {16, 8}, {24, 8}}},
      {"GCOL", "GCOL", {{4, 1}, {8, 8}, {16, 2}, {18, 2}, {24, 8}}},
      // Version 1 of an object header, with a reference count of 1 behind the number of messages.
      {"header", std::string("\1\0", 2), {{0, 1}, {2, 2}, {4, 4}, {8, 4}}},
      {"superblock",
       "\x89HDF",
       {{8, 1}, {13, 1}, {14, 1}, {16, 2}, {18, 2}, {24, 8}, {32, 8}, {40, 8}, {64, 8}}},
  };
  std::vector<CraftedField> out;
  for (const Structure& structure : structures)
    for (size_t at = bytes.find(structure.signature); at != std::string::npos;
         at = bytes.find(structure.signature, at + 1)) {
      std::vector<Field> fields = structure.fields;
      if (structure.name == std::string("header")) {
        // On a multiple of 8, with 1 to 63 messages, a reference count of 1 and a size that fits.
        if (at % 8 != 0 || at + 16 > bytes.size() || bytes[at + 2] < 1 || bytes[at + 3] != 0 ||
            bytes.compare(at + 4, 4, std::string("\1\0\0\0", 4)) != 0)
          continue;
        uint32_t size = 0;
        std::memcpy(&size, bytes.data() + at + 8, sizeof size);
        if (size < 8 || size > 65536 || at + 16 + size > bytes.size()) continue;
        // Spoils each message's type and size, and its first bytes: dimensions, classes, filters, addresses.
        for (size_t message = at + 16; message + 8 <= at + 16 + size;) {
          uint16_t length = 0;
          std::memcpy(&length, bytes.data() + message + 2, sizeof length);
          fields.push_back({message - at, 2});
          fields.push_back({message - at + 2, 2});
          fields.push_back({message - at + 4, 1});
          for (size_t i = 0; i < std::min<size_t>(length, 48); i += i < 8 ? 1 : 8)
            fields.push_back({message - at + 8 + i, i < 8 ? size_t{1} : size_t{8}});
          message += 8 + length;
        }
      }
      for (const Field& field : fields) {
        if (at + field.at + field.size > bytes.size()) continue;
        const uint64_t most =
            field.size == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * field.size)) - 1;
        std::vector<uint64_t> values = {0, 1, most, most / 2 + 1};
        if (field.size == 8)
          values.insert(values.end(), {at, bytes.size(), bytes.size() - 1, uint64_t{1} << 40});
        if (field.size == 4) values.push_back(static_cast<uint64_t>(bytes.size()));
        if (field.size <= 2) values.insert(values.end(), {2, 32, most - 7});
        for (const uint64_t value : values)
          out.push_back({structure.name, at + field.at, field.size, value & most});
      }
    }
  return out;
}

std::string with(std::string bytes, const CraftedField& field) {
  std::memcpy(bytes.data() + field.at, &field.value,
              field.size);  // little-endian, as HDF5 has them
  return bytes;
}

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
      record("values in another file",
             [](hid_t f) {
               put_dataset(f, kWeight, H5T_IEEE_F32LE, {2}, {}, [](hid_t list) {
                 H5Pset_external(list, "/etc/passwd", 0, H5F_UNLIMITED);
               });
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
      record("a link to another file",
             [](hid_t f) {
               H5Ldelete(f, "/config", H5P_DEFAULT);
               H5Lcreate_external("/etc/passwd", "/", f, "/config", H5P_DEFAULT, H5P_DEFAULT);
             }),
      record("a link to itself",
             [](hid_t f) {
               H5Ldelete(f, "/config", H5P_DEFAULT);
               H5Lcreate_soft("/config", f, "/config", H5P_DEFAULT, H5P_DEFAULT);
             }),
      record("a group in itself",
             [](hid_t f) {
               H5Lcreate_hard(f, "/weights", f, "/weights/again", H5P_DEFAULT, H5P_DEFAULT);
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
