// The keys of an experiment file for every task, beside those of an arm's "train" and "model".
#pragma once

#include "core/fields.h"
#include "experiment/config.h"
#include "model/config.h"

namespace minibert {

template <class V>
void fields(TokenizerSource& c, V& v) {
  const bool trains = c.run.empty() && c.wordpiece.empty();
  v("run", c.run, "takes the tokenizer of this record; or", written_where(!c.run.empty()));
  v("wordpiece", c.wordpiece, "takes the vocabulary of this data set (`bert-base-uncased`); or",
    written_where(!c.wordpiece.empty()));
  v("data", c.data, "trains one on the text of the first of these data sets that is there; or",
    written_where(!c.data.empty()));
  v("files", c.files, "trains one on these text files and folders",
    written_where(!c.files.empty()));
  v("type", c.settings.type, OneOf{"bpe", "unigram", "byte_bpe"},
    "SentencePiece's two, or byte-level BPE as GPT-2 and RoBERTa have it", written_where(trains));
  const bool is_byte_bpe = c.settings.type == "byte_bpe";
  v("vocab_size", c.settings.vocab_size,
    Whole{is_byte_bpe ? kSmallestByteBpe : kSmallestVocabulary, 65535},
    "pieces, special ones included; of `byte_bpe` at least 263", written_where(trains));
  const Use pieces = written_where(trains && !is_byte_bpe);
  v("character_coverage", c.settings.character_coverage, Real{0.98, 1},
    "share of the text's characters that have pieces of their own; not of `byte_bpe`", pieces);
  v("byte_fallback", c.settings.byte_fallback,
    "other characters are written as bytes; not of `byte_bpe`", pieces);
}

template <class V>
void fields(ExperimentConfig& c, V& v) {
  v.note(
      "extends", "a path from this file's folder, or an experiment's name", "",
      "the file that this one starts from: keys merge, arms by name, arms that the other has not "
      "are added, `null` removes a key, profiles of both apply one after the other. The record "
      "stores the whole");
  v.note("task", "a name, above", "", "what is learnt: it decides which keys follow");
  v.otherwise(c.name, c.name, "the file's name");
  v("name", c.name, "the folder of its records", kRequired);
  v.otherwise(c.title, c.name, "`name`");
  v("title", c.title, "what reports call it");
  v("protocol", c.protocol, OneOf{"standard", "course"},
    "early stopping looks at the dev split, or at the reported one (the course)");
  v("fetch", c.fetch, "downloads data that is not there; `false` in a profile: takes what is there",
    written_where(false));
  v.note(
      "data", "a list of data set ids, or an object", "",
      "ids of `datasets.json`: the first that is complete and verified; or files of your own, "
      "`{\"files\": [paths], \"dev\": [paths], \"test\": [paths]}`, whose hashes go into the "
      "record: "
      "plain text (a title line, a paragraph a line, an empty line between documents), JSON lines "
      "with `text`, folders of these, plain or compressed; or labelled ones, `{\"train\": FILE, "
      "…}`, "
      "as OWN_DATA.md tells");
  v.note("tokenizer", "an object", "", "below");
  v.note("seeds", "a list, 0 and more", "", "one run for each, of every arm");
  v.note("arms", "a list of objects", "", "below; one run for each, with every seed");
  v.note(
      "questions", "a list of pairs of arms", "every two arms",
      "`[[\"bert\", \"lstm\"]]`: `run` ends with a sentence for each, and `compare` corrects p for "
      "as many pairs");
  v.retired("expect", nlohmann::json::array());
  v.note("profiles", "an object of objects", "",
         "what each profile (`quick`, `full`, …) changes, merged as `extends` merges");
  v.note("sweep", "an object", "",
         "an arm as many: `{\"arms[bert].train.optimizer.lr\": [1e-4, 5e-4], "
         "\"arms[bert].model.d_model\": [64, 128], \"seed\": [1, 2, 3], \"budget\": 3}`: every "
         "combination, or of more than `budget` so many, drawn always alike; each value joins the "
         "arm's name");
}

template <class V>
void fields(MeanWith& c, V& v) {
  v("run", c.run, "the other record", kRequired);
  v("share", c.share, Real{0, 1}, "of the mean that is its");
}

template <class V>
void fields(ArmConfig& c, V& v) {
  v.note("name", "letters, digits, `_`, `-`, `.`", "", "the file of its records");
  v.note("skip", "`true`, `false`", "`false`", "leaves the arm out");
  v("init_from", c.init_from,
    "the record whose encoder the arm starts from, of any task with the same tokenizer; heads of "
    "the same name and shape come along, an output layer of labels or tags row by row, by their "
    "names, but no output layer that counts in another unit. `{seed}` in it is the run's own "
    "seed",
    written_where(!c.init_from.empty()));
  v.note(
      "mean", "an object", "",
      "`{\"run\": RECORD, \"share\": 0.5}`: starts from the mean of `init_from`'s weights and that "
      "record's, of which `share` is the record's (after Wortsman et al. 2022); both of one "
      "model, and one trained from the other or both from a third");
  v("grow", c.grow,
    "`model` is larger than `init_from`'s (`d_model` and `embedding_size` by a whole factor, heads "
    "of "
    "the same width, any larger `d_ff`, more `n_layers`) and begins as the same function "
    "(after Net2Net and bert2BERT)",
    written_where(c.grow));
  v.note("model", "an object", "", "below; with `init_from` what changes of the record's");
  v.note("train", "an object", "", "below");
  v.note(
      "override", "an object", "",
      "this arm's own `data`, `tokenizer` or keys of the task; its record is that of an experiment "
      "with these");
}

}  // namespace minibert
