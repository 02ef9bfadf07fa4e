// Labelled texts and tagged sentences as plain data, whatever file they come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace minibert {

struct LabelledExample {
  std::string id;  // "<split>-<row>", rows counted from 1 in the split's files as they stand
  std::string text;
  std::string pair;                  // empty where the task has one text
  std::vector<std::string> choices;  // alternatives to go on with; empty where there are none
  std::string label;       // the label's name; of a choice "1", "2", …; several: label_set.h
  std::string where = {};  // file and line, where it was read from a table
};

// Where it stands, for messages: its file and line, else its id.
template <class Example>
std::string place_of(const Example& example) {
  return example.where.empty() ? "example " + example.id : example.where;
}

// What it asks: two that ask the same are one text.
inline std::string asked_in(const LabelledExample& example) {
  return example.text + "\t" + example.pair;
}

struct LabelledSplits {
  std::vector<LabelledExample> train, dev, test;
};

struct TaggedSentence {
  std::string id;  // "<split>-<sentence>", sentences counted from 1
  std::string text;
  std::vector<std::string> tags;     // of every code point of the text: O, B-XX or I-XX
  std::string where = {};            // file and line of its first word
  std::vector<uint64_t> lines = {};  // of every tag, where each stands in a line of its own
};

// Where one of its tags stands, as place_of().
inline std::string place_of_tag(const TaggedSentence& sentence, size_t tag) {
  if (tag >= sentence.lines.size()) return place_of(sentence);
  return sentence.where.substr(0, sentence.where.rfind(':') + 1) +
         std::to_string(sentence.lines[tag]);
}

struct TaggedSplits {
  std::vector<TaggedSentence> train, dev, test;
};

}  // namespace minibert
