// Makes instances from encoded documents: gathers, cuts and trims their paragraphs.
#pragma once

#include <cstdint>
#include <vector>

#include "data/instances/instance_file.h"
#include "data/instances/instance_settings.h"

namespace minibert {

// Paragraph p is pieces[offsets[p] .. offsets[p + 1]); none is empty.
struct EncodedDocument {
  std::vector<uint16_t> pieces;
  std::vector<uint32_t> offsets{0};

  size_t paragraphs() const { return offsets.size() - 1; }
  // Adds a paragraph; ignores an empty one, as the course does.
  void add(const std::vector<int32_t>& ids);
};

// Appends the instances of window[index] to `out`, as create_instances (data/instances/instances.h)
// describes them, with `index` as their document. Random decisions follow from settings.seed and
// `document`, the document's number in the corpus. random_next takes its other document from the
// window and throws Error if there is none. Thread-safe.
void build_instances(const std::vector<EncodedDocument>& window, size_t index, uint64_t document,
                     const InstanceSettings& settings, const PieceRoles& roles, InstanceBatch* out);

// Does the same for unit packed and all documents of the window, numbered from `first_document`; an
// instance belongs to the document in which it begins.
void build_packed_instances(const std::vector<EncodedDocument>& window, uint64_t first_document,
                            const InstanceSettings& settings, const PieceRoles& roles,
                            InstanceBatch* out);

}  // namespace minibert
