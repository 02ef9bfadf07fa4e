#include "record_edits.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace minibert::test {
namespace {

constexpr int kMostEdits = 16;
constexpr hsize_t kLargeExtent = hsize_t{1} << 33;

constexpr std::array kObjects = {"/",
                                 "/config",
                                 "/environment",
                                 "/data",
                                 "/diff",
                                 "/summary",
                                 "/metrics",
                                 "/metrics/dev",
                                 "/metrics/dev/f1",
                                 "/metrics/dev/f1/value",
                                 "/metrics/dev/f1/step",
                                 "/predictions",
                                 "/predictions/id",
                                 "/predictions/gold",
                                 "/predictions/f1",
                                 "/tokenizer",
                                 "/tokenizer/model",
                                 "/weights",
                                 "/weights/classifier.bias",
                                 "/weights/answer",
                                 "/weights/new/group",
                                 "/resume",
                                 "/resume/numbers",
                                 "/resume/tensors",
                                 "/resume/tensors/adam"};
constexpr std::array kAttributes = {"format",      "version", "status",  "experiment",  "arm",
                                    "seed",        "profile", "started", "finished",    "error",
                                    "selected_by", "sha256",  "f1",      "exact_match", "새 것"};

// The fuzzer's bytes as numbers and texts; zeros after their end.
class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  size_t below(size_t end) { return byte() % end; }
  template <class Array>
  auto one_of(const Array& values) {
    return values[below(values.size())];
  }
  std::string text() {
    const size_t length = std::min<size_t>(byte(), size_);
    std::string out(reinterpret_cast<const char*>(data_), length);
    data_ += length, size_ -= length;
    return out;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

hid_t string_type(size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// A new type id, to be closed.
hid_t some_type(Choices& choices) {
  switch (choices.below(12)) {
    case 0:
      return string_type(H5T_VARIABLE);
    case 1:
      return string_type(1 + choices.byte());
    case 2:
      return H5Tcopy(H5T_STD_I64LE);
    case 3:
      return H5Tcopy(H5T_STD_I64BE);
    case 4:
      return H5Tcopy(H5T_IEEE_F64LE);
    case 5:
      return H5Tcopy(H5T_IEEE_F32LE);
    case 6:
      return H5Tcopy(H5T_IEEE_F32BE);
    case 7:
      return H5Tcopy(H5T_STD_U8LE);
    case 8:
      return H5Tcreate(H5T_OPAQUE, 1 + choices.below(16));
    case 9:
      return H5Tcopy(H5T_STD_REF_OBJ);
    case 10: {
      const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
      H5Tinsert(type, "a", 0, H5T_STD_I64LE);
      H5Tinsert(type, "b", 8, H5T_IEEE_F64LE);
      return type;
    }
    default:
      return H5Tvlen_create(H5T_IEEE_F32LE);
  }
}

struct Space {
  hid_t id;
  hsize_t count;
};

Space some_space(Choices& choices, bool small) {
  const size_t rank = choices.below(5);
  if (rank == 4) return {H5Screate(H5S_NULL), 0};
  if (rank == 0) return {H5Screate(H5S_SCALAR), 1};
  std::vector<hsize_t> shape(rank);
  hsize_t count = 1;
  for (hsize_t& extent : shape) {
    extent = choices.below(9);
    if (!small && extent == 8) extent = kLargeExtent >> (8 * rank);
    count *= extent;
  }
  return {H5Screate_simple(static_cast<int>(rank), shape.data(), nullptr), count};
}

// What is written where a value of `type` is asked for; text pointers live as long as `texts`.
std::vector<uint8_t> some_values(Choices& choices, hid_t type, hsize_t count,
                                 std::vector<std::string>& texts) {
  const size_t width = H5Tget_size(type);
  std::vector<uint8_t> bytes(count * width, 0);
  if (H5Tis_variable_str(type) > 0) {
    texts.reserve(count);
    for (hsize_t i = 0; i < count; ++i) {
      const char* text = texts.emplace_back(choices.text()).c_str();
      std::memcpy(bytes.data() + i * width, &text, sizeof text);
    }
  } else if (H5Tget_class(type) != H5T_VLEN && H5Tget_class(type) != H5T_REFERENCE) {
    const std::string text = choices.text();
    if (!text.empty())
      for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<uint8_t>(text[i % text.size()]);
  }
  return bytes;
}

void set_attribute(hid_t file, const char* object, const char* name, Choices& choices) {
  const hid_t owner = H5Oopen(file, object, H5P_DEFAULT);
  if (owner < 0) return;
  H5Adelete(owner, name);
  const hid_t type = some_type(choices);
  const Space space = some_space(choices, true);
  const hid_t attribute = H5Acreate2(owner, name, type, space.id, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) {
    std::vector<std::string> texts;
    std::vector<uint8_t> values = some_values(choices, type, space.count, texts);
    values.resize(std::max<size_t>(values.size(), 1));
    H5Awrite(attribute, type, values.data());
    H5Aclose(attribute);
  }
  H5Sclose(space.id);
  H5Tclose(type);
  H5Oclose(owner);
}

void set_dataset(hid_t file, const char* object, Choices& choices) {
  H5Ldelete(file, object, H5P_DEFAULT);
  const hid_t type = some_type(choices);
  const Space space = some_space(choices, false);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const uint8_t how = choices.byte();
  const int rank = H5Sget_simple_extent_ndims(space.id);
  if (rank > 0 && (how % 4 != 0 || space.count > 1000)) {
    const std::vector<hsize_t> chunk(static_cast<size_t>(rank), 1 + how / 64);
    H5Pset_chunk(creation, rank, chunk.data());
    if (how % 4 == 2) H5Pset_deflate(creation, 4);
    if (how % 4 == 3) H5Pset_fletcher32(creation);
    // A filter that no library has, and what it would unpack.
    if (how == 7 || how == 8)
      H5Pset_filter(creation, 32000, how == 7 ? H5Z_FLAG_OPTIONAL : H5Z_FLAG_MANDATORY, 0, nullptr);
  } else if (how == 4) {
    H5Pset_external(creation, "/proc/self/cmdline", 0, H5F_UNLIMITED);
  } else if (rank > 0 && how == 12) {
    H5Pset_virtual(creation, space.id, "/tmp/none.h5", "/config", space.id);
  }
  const hid_t dataset = H5Dcreate2(file, object, type, space.id, links, creation, H5P_DEFAULT);
  if (dataset >= 0) {
    // What is large stays unwritten: a file of few bytes that claims many.
    if (how != 4 && space.count > 0 && space.count <= 1000) {
      std::vector<std::string> texts;
      const std::vector<uint8_t> values = some_values(choices, type, space.count, texts);
      H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
    H5Dclose(dataset);
  }
  H5Pclose(creation);
  H5Pclose(links);
  H5Sclose(space.id);
  H5Tclose(type);
}

void set_text(hid_t file, const char* object, Choices& choices) {
  H5Ldelete(file, object, H5P_DEFAULT);
  const std::string text = choices.text();
  const hid_t type = string_type(std::max<size_t>(text.size(), 1)), space = H5Screate(H5S_SCALAR);
  const hid_t dataset =
      H5Dcreate2(file, object, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (dataset >= 0) {
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.empty() ? "" : text.data());
    H5Dclose(dataset);
  }
  H5Sclose(space);
  H5Tclose(type);
}

void nest_groups(hid_t file, const char* object, size_t depth) {
  std::string path = object;
  for (size_t i = 0; i < depth; ++i) {
    path += "/g";
    const hid_t group = H5Gcreate2(file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
  }
}

void edit(hid_t file, Choices& choices) {
  const char* object = choices.one_of(kObjects);
  switch (choices.below(9)) {
    case 0:
      H5Ldelete(file, object, H5P_DEFAULT);
      break;
    case 1:
      H5Adelete_by_name(file, object, choices.one_of(kAttributes), H5P_DEFAULT);
      break;
    case 2:
      set_attribute(file, object, choices.one_of(kAttributes), choices);
      break;
    case 3:
      set_dataset(file, object, choices);
      break;
    case 4:
      set_text(file, object, choices);
      break;
    case 5: {
      const char* from = choices.one_of(kObjects);
      const std::string to = choices.below(2) == 0 ? object : std::string(object) + "/loop";
      H5Ldelete(file, to.c_str(), H5P_DEFAULT);
      H5Lcreate_hard(file, from, file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    }
    case 6:
      H5Ldelete(file, object, H5P_DEFAULT);
      H5Lcreate_soft(choices.one_of(kObjects), file, object, H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 7:
      H5Ldelete(file, object, H5P_DEFAULT);
      H5Lcreate_external("/tmp/none.h5", "/config", file, object, H5P_DEFAULT, H5P_DEFAULT);
      break;
    default:
      nest_groups(file, object, choices.below(40));
  }
}

}  // namespace

void edit_record(const std::string& path, const uint8_t* data, size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_file_locking(access, false, true);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
  if (file >= 0) {
    Choices choices(data, size);
    for (int i = 0; i < kMostEdits && !choices.empty(); ++i) edit(file, choices);
    H5Fclose(file);
  }
  H5Pclose(access);
}

}  // namespace minibert::test
