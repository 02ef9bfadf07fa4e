// Pretraining instances on disk: an HDF5 file of format "minibert-instances" version 2, its writer
// and its reader. The layout below is never to be changed without a new version.
//
// Attributes on "/":
//   format                 "minibert-instances"
//   version                2 (int64)
//   settings               JSON text: InstanceSettings as resolved
//   statistics             JSON text: InstanceStatistics
//   tokenizer_sha256       of the tokenizer's bytes
// Data sets, N instances of P pieces in all, V pieces in the vocabulary:
//   /piece_roles           uint8  [V]      PieceRole (data/instances/masking.h) of every piece
//   /pieces                uint16 [P]      [CLS] A [SEP] B [SEP], unmasked, one after the other
//   /offsets               int64  [N + 1]  instance i is pieces[offsets[i] .. offsets[i + 1])
//   /segment_a_length      uint16 [N]      leading positions of segment 0: [CLS] A [SEP]
//   /nsp                   uint8  [N]      1 in order, 0 swapped or not next, 255 no sentence task
//   /documents             int64  [N]      document in the text, equal in every pass; the first of
//                                          several. Older files lack it
// With static masking also, M masked positions in all:
//   /masked/offsets        int64  [N + 1]  into the next two
//   /masked/positions      uint16 [M]      within the instance, ascending
//   /masked/ids            uint16 [M]      what the model sees there; the label is the piece itself
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/instances/masking.h"

namespace minibert {

inline constexpr int kNoSentenceTask = -1;

// One instance as the model's input, without padding.
struct MaskedInstance {
  std::vector<int32_t> ids;        // with [MASK]
  std::vector<uint8_t> segments;   // as long as ids
  std::vector<int32_t> positions;  // masked, ascending
  std::vector<int32_t> labels;     // original ids at positions
  int nsp = 0;                     // 1 in order, 0 swapped or not next, or kNoSentenceTask
};

// All instances of a file, in memory (2 bytes a piece). Immutable; threads may share it.
class InstanceFile {
 public:
  // Throws Error naming the file if it is missing, not HDF5, of another format or version, or if
  // its arrays contradict each other (lengths, offsets, ids outside the vocabulary, positions).
  explicit InstanceFile(const std::string& path);

  size_t size() const { return nsp_.size(); }
  // The instance without masks.
  std::span<const uint16_t> pieces(size_t i) const {
    return std::span(pieces_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  size_t segment_a_length(size_t i) const { return segment_a_[i]; }
  int nsp(size_t i) const { return nsp_[i] == 255 ? kNoSentenceTask : nsp_[i]; }
  // Numbers of the instances' documents; empty if the file lacks them.
  const std::vector<int64_t>& documents() const { return documents_; }
  bool has_static_masks() const { return !masked_offsets_.empty(); }
  // With static masks: the masked positions of instance i, and the input's ids there.
  std::span<const uint16_t> masked_positions(size_t i) const;
  std::span<const uint16_t> masked_ids(size_t i) const;

  size_t longest() const { return longest_; }  // pieces in the longest instance
  size_t total_pieces() const { return pieces_.size(); }
  int32_t vocabulary() const { return static_cast<int32_t>(roles_->size()); }
  const PieceRoles& roles() const { return *roles_; }
  const std::string& tokenizer_sha256() const { return tokenizer_sha256_; }
  const nlohmann::json& settings() const { return settings_; }
  const nlohmann::json& statistics() const { return statistics_; }
  const std::string& path() const { return path_; }

 private:
  void check() const;

  std::string path_;
  std::vector<uint16_t> pieces_, segment_a_;
  std::vector<int64_t> offsets_;
  std::vector<uint8_t> nsp_;
  std::vector<int64_t> documents_;
  std::optional<PieceRoles> roles_;  // set once the file is open
  std::vector<int64_t> masked_offsets_;
  std::vector<uint16_t> masked_positions_, masked_ids_;
  std::string tokenizer_sha256_;
  nlohmann::json settings_, statistics_;
  size_t longest_ = 0;
};

// Masks instance `index` for one epoch by the stream (seed, "mask", epoch, index). A file with
// static masks returns the stored ones, whatever mask, seed and epoch are. Reuses the memory of
// `out`. Thread-safe.
void masked_instance(const InstanceFile& file, size_t index, const MaskSettings& mask,
                     uint64_t seed, uint64_t epoch, MaskedInstance* out);

// Instances to be written, in arrays as above.
struct InstanceBatch {
  std::vector<uint16_t> pieces;
  std::vector<uint16_t> lengths;  // by instance
  std::vector<uint16_t> segment_a;
  std::vector<uint8_t> nsp;
  std::vector<int64_t> documents;
  // Stored with static masking, else only counted.
  std::vector<uint16_t> masked_lengths, masked_positions, masked_ids;
  uint64_t unused_documents = 0;   // of one paragraph, from which pairs make nothing
  uint64_t unused_paragraphs = 0;  // in no pair, including those of unused documents

  size_t size() const { return lengths.size(); }
  // Keeps the first `count` instances.
  void truncate(size_t count);
};

// Appends batches to a new file; memory does not grow. One thread at a time.
class InstanceFileWriter {
 public:
  // Creates `path` or replaces it; throws Error naming it.
  InstanceFileWriter(const std::string& path, bool static_masks);
  ~InstanceFileWriter();
  void append(const InstanceBatch& batch);
  // Writes the attributes and the vocabulary's roles and closes the file.
  void finish(const nlohmann::json& settings, const nlohmann::json& statistics,
              const std::string& tokenizer_sha256, const PieceRoles& roles);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace minibert
