// The interface's words in Korean and English.
#pragma once

#include <string_view>

namespace minibert::page {

enum class Language { korean, english };

enum class Word {
  subtitle,
  model,
  compare_with,
  nothing,
  share,
  shared,
  theme_light,
  theme_dark,
  other_language,
  sentence,
  placeholder,
  insert_mask,
  mask_word,
  fill_all,
  undo,
  redo,
  clear,
  examples,
  guesses,
  guess,
  no_mask,
  click_to_insert,
  attention,
  attention_hint,
  tokens,
  timing,
  about_model,
  layer,
  head,
  average,
  tokenize_ms,
  encoder_ms,
  output_ms,
  total_ms,
  kernel,
  pieces,
  frames,
  memory,
  parameters,
  file_size,
  weights,
  source_run,
  source_hash,
  architecture,
  dev_accuracy,
  loading,
  drop_hint,
  difference,
  same_guess,
  from_piece,
  shortcuts,
  count
};

std::string_view say(Word word, Language language);

}  // namespace minibert::page
