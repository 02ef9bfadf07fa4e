// How a text is cut into pretraining instances.
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
  swap,         // the course: A and B change places half the time
  random_next,  // BERT (Devlin et al. 2019): B is from another document half the time
  none,         // RoBERTa (Liu et al. 2019): one segment with a document's text
};

enum class InstanceUnit {
  document,  // text of one document, by the sentence task
  line,      // every line (paragraph) alone, cut off at the limit (S2); no sentence task
  packed,    // neighbouring documents in a row, with [SEP] between them, so that nearly every
             // instance is full (RoBERTa's FULL-SENTENCES); no sentence task
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
  MaskSettings mask = {};  // for static masks; dynamic ones may use another
  // Passes over the text, each with new random decisions (BERT's dupe_factor).
  int passes = 1;
  uint64_t seed = 1;
  uint64_t limit = 0;  // the number of instances, from the start of the corpus; 0: all
  // Every pass reads documents until their text reaches this many bytes; 0: all. Unlike `limit` it
  // selects the same text for every unit, sentence task and tokenizer.
  uint64_t text_limit = 0;
  // Makes an instance of a document of one paragraph, without a sentence task; otherwise pairs
  // leave it out, because it has no two segments.
  bool lone_paragraphs = false;
  ArticlePart part = ArticlePart::all;  // which articles

  bool operator==(const InstanceSettings&) const = default;
};

// {"sequence_length", "sentence_task": "swap|random_next|none", "unit": "document|line|packed",
//  "masking": "static|dynamic", "mask_probability", "mask_choice": "budget|independent",
//  "mask_replacement": "bert|mask" (if mask), "at_least_one_mask" (if true), "whole_words",
//  "passes", "seed", "limit", "text_limit" (if not 0), "lone_paragraphs" (if true),
//  "part": "all|first_half|second_half"}.
nlohmann::json to_json(const InstanceSettings& settings);
// Reads the keys; each has the default above. The caller calls finish().
InstanceSettings read_instance_settings(ConfigReader& reader);
// The names of ArticlePart: "all", "first_half", "second_half".
const std::vector<std::string>& article_parts();
std::string to_string(ArticlePart part);

}  // namespace minibert
