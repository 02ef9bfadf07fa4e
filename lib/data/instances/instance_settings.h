// How pretraining instances are cut from a text.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/config_reader.h"
#include "data/corpus.h"
#include "data/instances/masking.h"

namespace minibert {

enum class SentenceTask {
  swap,         // the course: half the time A and B change places
  random_next,  // BERT (Devlin et al. 2019): half the time B is from another document
  none,         // RoBERTa (Liu et al. 2019): one segment, filled with a document's text
};

enum class InstanceUnit {
  document,  // text of a document, as the sentence task says
  line,    // every line (paragraph) alone, cut off where it is too long (S2); without sentence task
  packed,  // text of neighbouring documents one after the other, [SEP] between them, so that nearly
           // every instance is full (RoBERTa's FULL-SENTENCES); without sentence task
};

enum class Masking {
  fixed,    // "static": chosen once, at creation (the course, BERT)
  dynamic,  // chosen anew in every epoch (RoBERTa)
};

inline constexpr int kShortestInstance = 8, kLongestInstance = 512;

struct InstanceSettings {
  int sequence_length = 128;  // the longest instance, special pieces included
  SentenceTask sentence_task = SentenceTask::swap;
  InstanceUnit unit = InstanceUnit::document;
  Masking masking = Masking::dynamic;
  MaskSettings mask = {};  // of static masks; dynamic ones may use another
  // How often the text is gone through, each time with new random decisions (BERT's dupe_factor).
  int passes = 1;
  uint64_t seed = 1;
  uint64_t limit = 0;  // the first so many in corpus order; 0: all
  // Documents are read until they have so many bytes of text, in every pass; 0: all. Unlike `limit`
  // the same text whatever the unit, the sentence task and the tokenizer.
  uint64_t text_limit = 0;
  // A document of one paragraph, which has no two segments, is an instance of one, without a
  // sentence task; otherwise pairs leave it out.
  bool lone_paragraphs = false;
  ArticlePart part = ArticlePart::all;  // which articles

  bool operator==(const InstanceSettings&) const = default;
};

// {"sequence_length", "sentence_task": "swap|random_next|none", "unit": "document|line|packed",
//  "masking": "static|dynamic", "mask_probability", "mask_choice": "budget|independent",
//  "mask_replacement": "bert|mask" (where it is mask), "at_least_one_mask" (where true), "whole_words", "passes", "seed", "limit", "text_limit" (where it is not 0), "lone_paragraphs"
//  (where true),
//  "part": "all|first_half|second_half"}.
nlohmann::json to_json(const InstanceSettings& settings);
// Every key has the default above. The caller calls finish().
InstanceSettings read_instance_settings(ConfigReader& reader);
// The names of ArticlePart: "all", "first_half", "second_half".
const std::vector<std::string>& article_parts();
std::string to_string(ArticlePart part);

}  // namespace minibert
