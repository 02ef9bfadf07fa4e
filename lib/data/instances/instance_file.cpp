#include "data/instances/instance_file.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/h5.h"

namespace minibert {
namespace {

constexpr const char* kFormat = "minibert-instances";
constexpr int64_t kInstanceVersion = 2;
constexpr uint8_t kNoTaskOnDisk = 255;

constexpr const char* kPieceRoles = "/piece_roles";
constexpr const char* kPieces = "/pieces";
constexpr const char* kOffsets = "/offsets";
constexpr const char* kSegmentA = "/segment_a_length";
constexpr const char* kNsp = "/nsp";
constexpr const char* kDocuments = "/documents";
constexpr const char* kMaskedOffsets = "/masked/offsets";
constexpr const char* kMaskedPositions = "/masked/positions";
constexpr const char* kMaskedIds = "/masked/ids";

nlohmann::json json_attribute(const h5::File& file, const std::string& name) {
  try {
    return nlohmann::json::parse(file.string_attribute("/", name));
  } catch (const nlohmann::json::parse_error&) {
    throw Error(file.path() + ": attribute " + name + " is not JSON");
  }
}

// Offsets of `count` runs over an array of `total` values.
bool are_offsets(const std::vector<int64_t>& offsets, size_t count, size_t total) {
  return offsets.size() == count + 1 && offsets.front() == 0 &&
         std::is_sorted(offsets.begin(), offsets.end()) &&
         offsets.back() == static_cast<int64_t>(total);
}

std::span<const uint16_t> part(const std::vector<uint16_t>& values,
                               const std::vector<int64_t>& offsets, size_t i) {
  return std::span(values).subspan(static_cast<size_t>(offsets[i]),
                                   static_cast<size_t>(offsets[i + 1] - offsets[i]));
}

template <class T>
void append_all(h5::Dataset& dataset, const std::vector<T>& values) {
  dataset.append(values.data(), static_cast<int64_t>(values.size()));
}

}  // namespace

InstanceFile::InstanceFile(const std::string& path) : path_(path) {
  const h5::File file = h5::File::open(path);
  if (!file.has_attribute("/", "format") || file.string_attribute("/", "format") != kFormat)
    throw Error(path + ": not an instance file (attribute format is not \"" + kFormat + "\")");
  if (const int64_t version = file.int_attribute("/", "version"); version != kInstanceVersion)
    throw Error(path + ": instance file version " + std::to_string(version) + ", expected " +
                std::to_string(kInstanceVersion));
  tokenizer_sha256_ = file.string_attribute("/", "tokenizer_sha256");
  settings_ = json_attribute(file, "settings");
  statistics_ = json_attribute(file, "statistics");
  try {
    roles_.emplace(file.read<uint8_t>(kPieceRoles));
  } catch (const Error& error) {
    throw Error(path + ": " + kPieceRoles + ": " + error.what());
  }
  pieces_ = file.read<uint16_t>(kPieces);
  offsets_ = file.read<int64_t>(kOffsets);
  segment_a_ = file.read<uint16_t>(kSegmentA);
  nsp_ = file.read<uint8_t>(kNsp);
  if (file.exists(kDocuments)) documents_ = file.read<int64_t>(kDocuments);
  if (file.exists(kMaskedOffsets)) {
    masked_offsets_ = file.read<int64_t>(kMaskedOffsets);
    masked_positions_ = file.read<uint16_t>(kMaskedPositions);
    masked_ids_ = file.read<uint16_t>(kMaskedIds);
  }
  check();
  for (size_t i = 0; i < size(); ++i) longest_ = std::max(longest_, pieces(i).size());
}

void InstanceFile::check() const {
  const auto require = [&](bool holds, const std::string& what) {
    if (!holds) throw Error(path_ + ": damaged instance file: " + what);
  };
  const auto in_vocabulary = [&](uint16_t id) { return id < roles_->size(); };
  require(segment_a_.size() == size(), "/segment_a_length and /nsp differ in length");
  require(documents_.empty() || documents_.size() == size(),
          "/documents and /nsp differ in length");
  require(are_offsets(offsets_, size(), pieces_.size()), "/offsets do not divide /pieces");
  require(std::all_of(pieces_.begin(), pieces_.end(), in_vocabulary),
          "/pieces has an id outside the vocabulary");
  for (size_t i = 0; i < size(); ++i) {
    require(segment_a_[i] <= pieces(i).size(),
            "segment A of instance " + std::to_string(i) + " is longer than the instance");
    require(nsp_[i] <= 1 || nsp_[i] == kNoTaskOnDisk,
            "/nsp of instance " + std::to_string(i) + " is " + std::to_string(nsp_[i]));
  }
  if (!has_static_masks()) return;
  require(masked_positions_.size() == masked_ids_.size(),
          "/masked/positions and /masked/ids differ in length");
  require(are_offsets(masked_offsets_, size(), masked_positions_.size()),
          "/masked/offsets do not divide /masked/positions");
  require(std::all_of(masked_ids_.begin(), masked_ids_.end(), in_vocabulary),
          "/masked/ids has an id outside the vocabulary");
  for (size_t i = 0; i < size(); ++i)
    for (const uint16_t at : masked_positions(i))
      require(at < pieces(i).size(),
              "a masked position of instance " + std::to_string(i) + " lies behind its end");
}

std::span<const uint16_t> InstanceFile::masked_positions(size_t i) const {
  return part(masked_positions_, masked_offsets_, i);
}

std::span<const uint16_t> InstanceFile::masked_ids(size_t i) const {
  return part(masked_ids_, masked_offsets_, i);
}

void masked_instance(const InstanceFile& file, size_t index, const MaskSettings& mask,
                     uint64_t seed, uint64_t epoch, MaskedInstance* out) {
  const std::span<const uint16_t> pieces = file.pieces(index);
  if (file.has_static_masks()) {
    const auto positions = file.masked_positions(index);
    const auto ids = file.masked_ids(index);
    out->ids.assign(pieces.begin(), pieces.end());
    out->positions.assign(positions.begin(), positions.end());
    out->labels.clear();
    for (size_t k = 0; k < positions.size(); ++k) {
      out->labels.push_back(pieces[positions[k]]);
      out->ids[positions[k]] = ids[k];
    }
  } else {
    Rng rng(seed, "mask", epoch, index);
    mask_instance(pieces, file.roles(), mask, rng, &out->ids, &out->positions, &out->labels);
  }
  const size_t segment_a = file.segment_a_length(index);
  out->segments.assign(pieces.size(), 1);
  std::fill_n(out->segments.begin(), segment_a, uint8_t{0});
  out->nsp = file.nsp(index);
}

void InstanceBatch::truncate(size_t count) {
  if (count >= size()) return;
  const auto sum = [&](const std::vector<uint16_t>& lengths) {
    size_t total = 0;
    for (size_t i = 0; i < count; ++i) total += lengths[i];
    return total;
  };
  const size_t masked = sum(masked_lengths);
  pieces.resize(sum(lengths));
  lengths.resize(count);
  segment_a.resize(count);
  nsp.resize(count);
  documents.resize(count);
  masked_lengths.resize(count);
  masked_positions.resize(masked);
  masked_ids.resize(masked);
}

struct InstanceFileWriter::Impl {
  struct Masked {
    h5::Dataset offsets, positions, ids;
    int64_t end = 0;
  };

  Impl(const std::string& path, bool static_masks)
      : file(h5::File::create(path)),
        pieces(file.create_rows<uint16_t>(kPieces)),
        offsets(file.create_rows<int64_t>(kOffsets)),
        segment_a(file.create_rows<uint16_t>(kSegmentA)),
        nsp(file.create_rows<uint8_t>(kNsp)),
        documents(file.create_rows<int64_t>(kDocuments)) {
    append_all(offsets, std::vector<int64_t>{0});
    if (!static_masks) return;
    masked.emplace(Masked{file.create_rows<int64_t>(kMaskedOffsets),
                          file.create_rows<uint16_t>(kMaskedPositions),
                          file.create_rows<uint16_t>(kMaskedIds)});
    append_all(masked->offsets, std::vector<int64_t>{0});
  }

  h5::File file;
  h5::Dataset pieces, offsets, segment_a, nsp, documents;
  std::optional<Masked> masked;
  int64_t end = 0;  // of the pieces written
};

InstanceFileWriter::InstanceFileWriter(const std::string& path, bool static_masks)
    : impl_(std::make_unique<Impl>(path, static_masks)) {}
InstanceFileWriter::~InstanceFileWriter() = default;

void InstanceFileWriter::append(const InstanceBatch& batch) {
  const auto ends = [](const std::vector<uint16_t>& lengths, int64_t* end) {
    std::vector<int64_t> values;
    values.reserve(lengths.size());
    for (const uint16_t length : lengths) values.push_back(*end += length);
    return values;
  };
  Impl& out = *impl_;
  append_all(out.pieces, batch.pieces);
  append_all(out.offsets, ends(batch.lengths, &out.end));
  append_all(out.segment_a, batch.segment_a);
  append_all(out.nsp, batch.nsp);
  append_all(out.documents, batch.documents);
  if (!out.masked) return;
  append_all(out.masked->offsets, ends(batch.masked_lengths, &out.masked->end));
  append_all(out.masked->positions, batch.masked_positions);
  append_all(out.masked->ids, batch.masked_ids);
}

void InstanceFileWriter::finish(const nlohmann::json& settings, const nlohmann::json& statistics,
                                const std::string& tokenizer_sha256, const PieceRoles& roles) {
  h5::File& file = impl_->file;
  file.write(kPieceRoles, {static_cast<int64_t>(roles.size())}, roles.table().data());
  file.set_attribute("/", "format", std::string(kFormat));
  file.set_attribute("/", "version", kInstanceVersion);
  file.set_attribute("/", "settings", settings.dump());
  file.set_attribute("/", "statistics", statistics.dump());
  file.set_attribute("/", "tokenizer_sha256", tokenizer_sha256);
  file.close();
}

}  // namespace minibert
