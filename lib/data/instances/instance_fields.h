// The keys of "instances": how text becomes instances.
#pragma once

#include "core/fields.h"
#include "data/instances/instance_settings.h"

namespace minibert {

inline const OneOf& instance_units() {
  static const OneOf units = {"document", "line", "packed"};
  return units;
}

template <class V>
void fields(InstanceSettings& c, V& v) {
  v("sequence_length", c.sequence_length, Whole{kShortestInstance, kLongestInstance},
    "pieces of the longest instance, special ones included");
  v("sentence_task", c.sentence_task, OneOf{"swap", "random_next", "none"},
    "half of the instances have their two segments in another order (the course), or another "
    "document's second segment (BERT); `none`: one segment (RoBERTa)");
  v("unit", c.unit, instance_units(),
    "what fills an instance: a document's text; a line, cut off where it is too long; or documents "
    "one after the other, [SEP] between them. The latter two without a sentence task");
  v("masking", c.masking, OneOf{"static", "dynamic"},
    "masks chosen once (BERT), or anew in every epoch (RoBERTa)");
  v("mask_probability", c.mask.probability, Real{0, 1}, "share of the pieces that are masked");
  v("mask_choice", c.mask.choice, OneOf{"budget", "independent"},
    "that share of every instance at most, or every word by a throw of its own");
  v("mask_replacement", c.mask.replacement, OneOf{"bert", "mask"},
    "what stands at a masked position in training: [MASK] for 80 % of the words, a random piece "
    "for "
    "10 %, the piece itself for 10 %; or always [MASK] (BabyBERTa). Measured is with the former",
    written_where(c.mask.replacement != MaskReplacement::bert));
  v.otherwise(c.mask.at_least_one, c.mask.at_least_one,
              "`true` of an experiment's file, `false` of a record that does not say");
  v("at_least_one_mask", c.mask.at_least_one,
    "an instance of which no word was chosen gets a mask on one all the same (BERT)",
    written_where(c.mask.at_least_one));
  v("whole_words", c.mask.whole_words, "masks all pieces of a word together");
  v("passes", c.passes, Whole{1, 1000}, "how often the text is cut into instances, each time anew");
  v("seed", c.seed, Whole{0}, "how it is cut and masked");
  v("limit", c.limit, Whole{0}, "the first so many instances; 0: all");
  // Written only if used, so that earlier settings and names of cached files stay.
  v("text_limit", c.text_limit, Whole{0},
    "documents until they have so many bytes of text, whatever is made of them; 0: all",
    written_where(c.text_limit > 0));
  v("lone_paragraphs", c.lone_paragraphs,
    "a document of one paragraph is an instance of one segment, without a sentence task; otherwise "
    "it is left out",
    written_where(c.lone_paragraphs));
  v.retired("skip_bad_lines", false);
  v("part", c.part, article_parts(), "which articles are read, told by the title");
}

}  // namespace minibert
