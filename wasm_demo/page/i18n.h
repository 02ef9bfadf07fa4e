// The interface's words in Korean and English.
#pragma once

#include <string>
#include <string_view>

namespace minibert::page {

enum class Language { korean, english };

// What web/errors.js says in both languages, so that it follows the page's language.
struct Bilingual {
  std::string korean, english;
  bool empty() const { return korean.empty() && english.empty(); }
  const std::string& in(Language language) const {
    return language == Language::korean ? korean : english;
  }
  bool operator==(const Bilingual&) const = default;
};

enum class Word {
  subtitle,
  model,
  compare_with,
  nothing,
  share,
  code,
  lesson,
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
  select_all,
  copy,
  paste,
  examples,
  exercises,
  add_exercise,
  clear_exercises,
  exercises_hint,
  guesses,
  guess,
  no_mask,
  no_text,
  click_to_insert,
  details,
  attention,
  attention_hint,
  attention_table,
  attention_local,
  explain,
  explain_hint,
  explain_long,
  explain_stages,
  after_layer,
  step_embedding,
  step_attention,
  step_local,
  step_feed_forward,
  step_output,
  explain_embedding,
  explain_embedding_wider,
  explain_embedding_placeless,
  explain_embedding_placeless_wider,
  explain_local,
  explain_attention,
  explain_convolution,
  explain_offsets,
  explain_gate,
  explain_shared,
  explain_shared_attention,
  explain_feed_forward,
  explain_feed_forward_gated,
  explain_output,
  explain_output_transform,
  vector_token,
  vector_position,
  vector_segment,
  vector_state,
  value_length,
  added_length,
  distance,
  units,
  strongest_units,
  unit_value,
  score,
  temperature,
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
  loading,
  drop_hint,
  pick_file,
  difference,
  same_guess,
  unknown_model,
  shortcuts,
  privacy,
  top_k,
  whole_words,
  whole_words_hint,
  my_word,
  hide_guesses,
  show_guesses,
  hidden_guesses,
  copy_text,
  copy_csv,
  save_picture,
  overview,
  tokens_hint,
  card_data,
  card_limits,
  card_limits_text,
  card_licence,
  card_licence_text,
  open_notice,
  mlm_accuracy,
  mlm_loss,
  nsp_accuracy,
  nsp_loss,
  count
};

std::string_view say(Word word, Language language);
// The word with "{}" replaced by `value`.
std::string say(Word word, Language language, std::string_view value);
Bilingual both(Word word, std::string_view value);

}  // namespace minibert::page
