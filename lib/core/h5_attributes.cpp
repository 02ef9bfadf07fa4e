// Attributes of HDF5 objects.
#include "core/h5_internal.h"
#include "core/h5_reader.h"

namespace minibert::h5 {
namespace {

// The limits of a list in an attribute: HDF5 itself keeps compact attributes below 64 KiB.
constexpr int64_t kMostStrings = 65536;
constexpr size_t kLongestString = 65536;

}  // namespace

Handle File::write_attribute(const std::string& object, const std::string& name, int64_t file_type,
                             int64_t memory_type, const void* value) {
  const std::string place = where(object) + " attribute " + name;
  const Handle owner = open_object(object);
  if (H5Aexists(owner.get(), name.c_str()) > 0)
    check(H5Adelete(owner.get(), name.c_str()), place, "cannot be replaced");
  const Handle space = simple_space({}, place);
  Handle attribute =
      own(H5Acreate2(owner.get(), name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
          H5Aclose, place, "cannot be made");
  check(H5Awrite(attribute.get(), memory_type, value), place, "cannot be written");
  return attribute;
}

void File::set_attribute(const std::string& object, const std::string& name,
                         const std::string& value) {
  const Guard guard;
  if (seal_ == Seal::yes) {
    const Handle type = variable_text_type(where(object));
    const char* text = value.c_str();
    write_attribute(object, name, type.get(), type.get(), &text);
    return;
  }
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
  if (reader_) return reader_->ask<bool>(Question::has_attribute, object, name);
  const Guard guard;
  const Handle owner = open_object(object);
  return is_true(H5Aexists(owner.get(), name.c_str()), where(object) + " attribute " + name);
}

std::vector<std::string> File::attributes(const std::string& object) const {
  if (reader_) return reader_->ask<std::vector<std::string>>(Question::attributes, object);
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
  if (!is_true(H5Aexists(owner, name.c_str()), place)) throw Error(place + ": missing");
  Handle attribute =
      own(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose, place, "cannot be opened");
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, place, "has no readable shape");
  if (H5Sget_simple_extent_npoints(space.get()) != 1)
    throw Error(place + ": is an array, expected one value");
  return attribute;
}

}  // namespace

std::string File::string_attribute(const std::string& object, const std::string& name) const {
  if (reader_) return reader_->ask<std::string>(Question::string_attribute, object, name);
  const Guard guard;
  const std::string place = where(object) + " attribute " + name;
  const Handle owner = open_object(object);
  const Handle attribute = open_attribute(owner.get(), name, place);
  const Handle type = own(H5Aget_type(attribute.get()), H5Tclose, place, "has no readable type");
  if (H5Tget_class(type.get()) != H5T_STRING)
    throw Error(place + ": holds " + type_name(type.get()) + ", expected a string");
  if (H5Tis_variable_str(type.get()) > 0) {
    const Handle variable = variable_text_type(place);
    char* text = nullptr;
    check(H5Aread(attribute.get(), variable.get(), &text), place, "cannot be read");
    std::string copy = text == nullptr ? "" : text;
    H5free_memory(text);
    return copy;
  }
  std::string text(H5Tget_size(type.get()), '\0');
  check(H5Aread(attribute.get(), type.get(), text.data()), place, "cannot be read");
  return without_padding(text.data(), text.size());
}

std::vector<std::string> File::strings_attribute(const std::string& object,
                                                 const std::string& name) const {
  if (reader_)
    return reader_->ask<std::vector<std::string>>(Question::strings_attribute, object, name);
  const Guard guard;
  const std::string place = where(object) + " attribute " + name;
  const Handle owner = open_object(object);
  if (!is_true(H5Aexists(owner.get(), name.c_str()), place)) throw Error(place + ": missing");
  const Handle attribute =
      own(H5Aopen(owner.get(), name.c_str(), H5P_DEFAULT), H5Aclose, place, "cannot be opened");
  const Handle type = own(H5Aget_type(attribute.get()), H5Tclose, place, "has no readable type");
  const Handle space = own(H5Aget_space(attribute.get()), H5Sclose, place, "has no readable shape");
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (H5Sget_simple_extent_ndims(space.get()) != 1 || count < 0 || count > kMostStrings)
    throw Error(place + ": expected a list of at most " + std::to_string(kMostStrings) +
                " strings");
  // Keras writes an empty list as one of numbers.
  if (count == 0) return {};
  if (H5Tget_class(type.get()) != H5T_STRING)
    throw Error(place + ": holds " + type_name(type.get()) + ", expected strings");
  std::vector<std::string> texts;
  if (H5Tis_variable_str(type.get()) > 0) {
    std::vector<char*> pointers(static_cast<size_t>(count), nullptr);
    check(H5Aread(attribute.get(), type.get(), pointers.data()), place, "cannot be read");
    for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
    return texts;
  }
  const size_t width = H5Tget_size(type.get());
  if (width > kLongestString)
    throw Error(place + ": holds strings of " + std::to_string(width) + " bytes");
  std::string bytes(static_cast<size_t>(count) * width, '\0');
  check(H5Aread(attribute.get(), type.get(), bytes.data()), place, "cannot be read");
  for (size_t at = 0; at < bytes.size(); at += width)
    texts.push_back(without_padding(bytes.data() + at, width));
  return texts;
}

void File::read_attribute(const std::string& object, const std::string& name, int64_t type_class,
                          int64_t memory_type, void* value) const {
  const std::string place = where(object) + " attribute " + name;
  const Handle owner = open_object(object);
  const Handle attribute = open_attribute(owner.get(), name, place);
  const Handle type = own(H5Aget_type(attribute.get()), H5Tclose, place, "has no readable type");
  if (H5Tget_class(type.get()) != type_class)
    throw Error(place + ": holds " + type_name(type.get()) + ", expected " +
                type_name(memory_type));
  check(H5Aread(attribute.get(), memory_type, value), place, "cannot be read");
}

int64_t File::int_attribute(const std::string& object, const std::string& name) const {
  if (reader_) return reader_->ask<int64_t>(Question::int_attribute, object, name);
  const Guard guard;
  int64_t value = 0;
  read_attribute(object, name, H5T_INTEGER, H5T_NATIVE_INT64, &value);
  return value;
}

double File::double_attribute(const std::string& object, const std::string& name) const {
  if (reader_) return reader_->ask<double>(Question::double_attribute, object, name);
  const Guard guard;
  double value = 0;
  read_attribute(object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, &value);
  return value;
}

}  // namespace minibert::h5
