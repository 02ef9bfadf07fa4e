#include "rules/qa_windows.h"

#include <algorithm>

#include "rules/question_overlap.h"

namespace minibert {

std::vector<ContextWindow> covering_windows(uint32_t context_pieces, uint32_t question_pieces,
                                            const QaFeatureSettings& settings) {
  const uint32_t room = window_capacity(question_pieces, settings);
  const uint32_t step = std::min(room, static_cast<uint32_t>(settings.stride));
  std::vector<ContextWindow> windows = {{0, std::min(context_pieces, room)}};
  while (windows.back().first + windows.back().count < context_pieces) {
    const uint32_t first = windows.back().first + step;
    windows.push_back({first, std::min(room, context_pieces - first)});
  }
  return windows;
}

uint32_t window_capacity(uint32_t question_pieces, const QaFeatureSettings& settings) {
  return static_cast<uint32_t>(settings.max_length) - question_pieces - 3;
}

uint32_t context_offset(uint32_t question_pieces) { return question_pieces + 2; }

void append_window(const WindowParts& parts, const ContextWindow& window, std::vector<int32_t>* ids,
                   std::vector<uint8_t>* segments) {
  const auto append = [&](const auto& some, auto* to) {
    to->insert(to->end(), some.begin(), some.end());
  };
  ids->push_back(parts.cls);
  append(parts.question, ids);
  ids->push_back(parts.sep);
  segments->insert(segments->end(), parts.question.size() + 2, kQuestionSegment);
  append(parts.context.subspan(window.first, window.count), ids);
  ids->push_back(parts.sep);
  if (parts.context_segments.empty()) {
    segments->insert(segments->end(), window.count, kContextSegment);
  } else {
    append(parts.context_segments.subspan(window.first, window.count), segments);
  }
  segments->push_back(kContextSegment);
}

}  // namespace minibert
