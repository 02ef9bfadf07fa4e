// Labelled texts and tagged sentences as plain data, whatever their file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace minibert {

struct LabelledExample {
  std::string id;  // "<split>-<row>", with the row in the split's files from 1
  std::string text;
  std::string pair;                  // empty if the task has one text
  std::vector<std::string> choices;  // alternative continuations, or empty
  std::string label;  // the label's name; for choices "1", "2", …; several labels: label_set.h
  std::string where = {};  // file and line, if read from a table
};

// Names an example in messages: its file and line, or its id.
template <class Example>
std::string place_of(const Example& example) {
  return example.where.empty() ? "example " + example.id : example.where;
}

// Returns the example's input: examples with equal input are one text.
inline std::string asked_in(const LabelledExample& example) {
  return example.text + "\t" + example.pair;
}

struct LabelledSplits {
  std::vector<LabelledExample> train, dev, test;
};

struct TaggedSentence {
  std::string id;  // "<split>-<sentence>", sentences counted from 1
  std::string text;
  std::vector<std::string> tags;     // for every code point of the text: O, B-XX or I-XX
  std::string where = {};            // file and line of its first word
  std::vector<uint64_t> lines = {};  // line of every tag, if each has its own
};

// Names one of the sentence's tags in messages, like place_of().
inline std::string place_of_tag(const TaggedSentence& sentence, size_t tag) {
  if (tag >= sentence.lines.size()) return place_of(sentence);
  return sentence.where.substr(0, sentence.where.rfind(':') + 1) +
         std::to_string(sentence.lines[tag]);
}

struct TaggedSplits {
  std::vector<TaggedSentence> train, dev, test;
};

}  // namespace minibert
