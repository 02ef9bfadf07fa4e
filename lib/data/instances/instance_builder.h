// Instances of documents that are already pieces: the gathering, cutting and trimming of
// paragraphs.
#pragma once

#include <cstdint>
#include <vector>

#include "data/instances/instances.h"

namespace minibert {

// Paragraph p is pieces[offsets[p] .. offsets[p + 1]); none is empty.
struct EncodedDocument {
  std::vector<uint16_t> pieces;
  std::vector<uint32_t> offsets{0};

  size_t paragraphs() const { return offsets.size() - 1; }
  // Adds a paragraph; an empty one is left out, as in the course.
  void add(const std::vector<int32_t>& ids);
};

// Appends the instances of window[index] to `out`, as create_instances (data/instances/instances.h) describes
// them; their random decisions follow from settings.seed and `document`, its number in the corpus.
// The other documents of the window are where random_next finds its other document.
// Thread-safe. Throws Error when random_next finds none.
void build_instances(const std::vector<EncodedDocument>& window, size_t index, uint64_t document,
                     const InstanceSettings& settings, const PieceRoles& roles, InstanceBatch* out);

// The same of unit packed: of all documents of the window, the first of which has the number
// `first_document`.
void build_packed_instances(const std::vector<EncodedDocument>& window, uint64_t first_document,
                            const InstanceSettings& settings, const PieceRoles& roles,
                            InstanceBatch* out);

}  // namespace minibert
