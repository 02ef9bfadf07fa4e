#include "data/instances/instance_builder.h"

#include <algorithm>
#include <span>

#include "core/error.h"
#include "core/rng.h"

namespace minibert {
namespace {

using Pieces = std::span<const uint16_t>;

Pieces paragraphs(const EncodedDocument& document, size_t first, size_t last) {
  return Pieces(document.pieces)
      .subspan(document.offsets[first], document.offsets[last] - document.offsets[first]);
}

class Builder {
 public:
  Builder(const std::vector<EncodedDocument>& window, size_t index, uint64_t document,
          const InstanceSettings& settings, const PieceRoles& roles, InstanceBatch* out)
      : window_(window),
        index_(index),
        document_(document),
        settings_(settings),
        roles_(roles),
        random_(settings.seed, "instances", 0, document),
        out_(out) {}

  void pairs();
  // Makes instances of the text of document `index_`, or of several that begin at `begins`.
  void single_segments(Pieces text, std::span<const size_t> begins = {});
  void lines();

 private:
  Pieces other_document(size_t wanted);
  void emit(Pieces a, Pieces b, uint8_t nsp) { emit(a, b, nsp, index_); }
  void emit(Pieces a, Pieces b, uint8_t nsp, size_t document);

  const std::vector<EncodedDocument>& window_;
  const size_t index_;
  const uint64_t document_;
  const InstanceSettings& settings_;
  const PieceRoles& roles_;
  Rng random_;
  InstanceBatch* out_;
  uint64_t emitted_ = 0;
};

void Builder::pairs() {
  const EncodedDocument& document = window_[index_];
  const size_t end = document.paragraphs();
  if (end == 1 && settings_.lone_paragraphs) return lines();
  const auto room = static_cast<size_t>(settings_.sequence_length) - 3;
  for (size_t first = 0; first < end;) {
    size_t last = first;
    while (last < end && (last - first < 2 || paragraphs(document, first, last).size() < room))
      ++last;
    if (last - first < 2) {
      out_->unused_documents += end == 1 ? 1 : 0;
      ++out_->unused_paragraphs;
      break;
    }
    const size_t cut = first + 1 + random_.below(last - first - 1);
    Pieces a = paragraphs(document, first, cut);
    Pieces b = paragraphs(document, cut, last);
    const bool in_order = random_.uniform() >= 0.5;
    first = last;
    if (!in_order && settings_.sentence_task == SentenceTask::swap) {
      std::swap(a, b);
    } else if (!in_order) {
      b = other_document(room > a.size() ? room - a.size() : 1);
      first = cut;
    }
    while (a.size() + b.size() > room) {
      if (a.size() > b.size()) {
        a = a.subspan(1);
      } else {
        b = b.first(b.size() - 1);
      }
    }
    emit(a, b, in_order ? 1 : 0);
  }
}

void Builder::single_segments(Pieces text, std::span<const size_t> begins) {
  const auto room = static_cast<size_t>(settings_.sequence_length) - 2;
  for (size_t first = 0; first < text.size(); first += room) {
    const size_t document =
        begins.empty()
            ? index_
            : static_cast<size_t>(std::ranges::upper_bound(begins, first) - begins.begin() - 1);
    emit(text.subspan(first, std::min(room, text.size() - first)), {}, 255, document);
  }
}

void Builder::lines() {
  const EncodedDocument& document = window_[index_];
  const auto room = static_cast<size_t>(settings_.sequence_length) - 2;
  for (size_t i = 0; i < document.paragraphs(); ++i) {
    const Pieces line = paragraphs(document, i, i + 1);
    emit(line.first(std::min(room, line.size())), {}, 255);
  }
}

// Whole paragraphs, from a random one on, until they have the wanted pieces or the document ends.
Pieces Builder::other_document(size_t wanted) {
  const auto is_other = [&](size_t d) { return d != index_ && window_[d].paragraphs() > 0; };
  size_t others = 0;
  for (size_t d = 0; d < window_.size(); ++d) others += is_other(d) ? 1 : 0;
  if (others == 0)
    throw Error("sentence_task random_next: found a single document, expected at least two");
  uint64_t skip = random_.below(others);
  size_t chosen = 0;
  while (!is_other(chosen) || skip-- > 0) ++chosen;
  const EncodedDocument& other = window_[chosen];
  const size_t start = random_.below(other.paragraphs());
  size_t last = start + 1;
  while (last < other.paragraphs() && paragraphs(other, start, last).size() < wanted) ++last;
  return paragraphs(other, start, last);
}

void Builder::emit(Pieces a, Pieces b, uint8_t nsp, size_t document) {
  std::vector<uint16_t>& pieces = out_->pieces;
  const size_t begin = pieces.size();
  pieces.push_back(roles_.cls());
  pieces.insert(pieces.end(), a.begin(), a.end());
  pieces.push_back(roles_.sep());
  const size_t segment_a = pieces.size() - begin;
  if (!b.empty()) {
    pieces.insert(pieces.end(), b.begin(), b.end());
    pieces.push_back(roles_.sep());
  }
  out_->lengths.push_back(static_cast<uint16_t>(pieces.size() - begin));
  out_->segment_a.push_back(static_cast<uint16_t>(segment_a));
  out_->nsp.push_back(nsp);
  out_->documents.push_back(static_cast<int64_t>(document));

  thread_local std::vector<int32_t> ids, positions, labels;
  Rng random(settings_.seed, "static mask", document_, emitted_++);
  mask_instance(Pieces(pieces).subspan(begin), roles_, settings_.mask, random, &ids, &positions,
                &labels);
  out_->masked_lengths.push_back(static_cast<uint16_t>(positions.size()));
  for (const int32_t at : positions) {
    out_->masked_positions.push_back(static_cast<uint16_t>(at));
    out_->masked_ids.push_back(static_cast<uint16_t>(ids[static_cast<size_t>(at)]));
  }
}

}  // namespace

void EncodedDocument::add(const std::vector<int32_t>& ids) {
  if (ids.empty()) return;
  pieces.insert(pieces.end(), ids.begin(), ids.end());
  offsets.push_back(static_cast<uint32_t>(pieces.size()));
}

void build_instances(const std::vector<EncodedDocument>& window, size_t index, uint64_t document,
                     const InstanceSettings& settings, const PieceRoles& roles,
                     InstanceBatch* out) {
  Builder builder(window, index, document, settings, roles, out);
  if (settings.unit == InstanceUnit::line) {
    builder.lines();
  } else if (settings.sentence_task == SentenceTask::none) {
    builder.single_segments(window[index].pieces);
  } else {
    builder.pairs();
  }
}

void build_packed_instances(const std::vector<EncodedDocument>& window, uint64_t first_document,
                            const InstanceSettings& settings, const PieceRoles& roles,
                            InstanceBatch* out) {
  std::vector<uint16_t> text;
  std::vector<size_t> begins;
  for (const EncodedDocument& document : window) {
    begins.push_back(text.size());
    if (document.pieces.empty()) continue;
    if (!text.empty()) text.push_back(roles.sep());
    text.insert(text.end(), document.pieces.begin(), document.pieces.end());
  }
  Builder(window, 0, first_document, settings, roles, out).single_segments(text, begins);
}

}  // namespace minibert
