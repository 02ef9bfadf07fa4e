// minibert tokenizer learn-bpe: byte-pair encoding by hand, with every step (the course's S2).
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "text/bpe_by_hand.h"
#include "text/line_reader.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr size_t kExampleWords = 5, kExamplePairs = 10, kFirstVocabulary = 15;

struct LearnBpeArguments {
  std::vector<std::string> files;
  std::string word, sentence;
  size_t merges = 10;
  bool show = false;
};

std::string pair_text(const CountedPair& pair) { return "(" + pair.left + ", " + pair.right + ")"; }

std::vector<std::string> example_words(const BpeByHand& bpe) {
  std::vector<std::string> out;
  for (size_t i = 0; i < std::min(kExampleWords, bpe.words()); ++i) out.push_back(bpe.symbols(i));
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  const std::u32string points = to_code_points(text);
  std::vector<std::string> out;
  for (const CodePoints& range : split_ranges(points))
    out.push_back(
        to_utf8(std::u32string_view(points).substr(range.begin, range.end - range.begin)));
  return out;
}

void read_files(const std::vector<std::string>& files, BpeByHand* bpe) {
  std::string line;
  for (const std::string& file : files) {
    LineReader reader(file);
    for (size_t number = 1; reader.next(&line); ++number) {
      if (const size_t bad = first_invalid_utf8(line); bad != kValid)
        throw Error(file + ":" + std::to_string(number) + ": not valid UTF-8 at byte " +
                    std::to_string(bad));
      bpe->add_line(line);
    }
  }
  if (bpe->words() == 0) throw Error(joined(files) + ": found no word, expected text");
}

// The text before the first merge.
void show_counts(const BpeByHand& bpe) {
  std::printf("%zu different words; the first, with their counts in the text:\n", bpe.words());
  for (size_t i = 0; i < std::min(kExampleWords, bpe.words()); ++i)
    std::printf("  %s : %llu\n", bpe.symbols(i).c_str(),
                static_cast<unsigned long long>(bpe.count(i)));
  std::printf("\n%zu different pairs of neighbouring symbols, the first of them:\n", bpe.pairs());
  for (const CountedPair& pair : bpe.first_pairs(kExamplePairs))
    std::printf("  %s : %llu\n", pair_text(pair).c_str(),
                static_cast<unsigned long long>(pair.count));
}

void show_merge(size_t rank, const CountedPair& pair, const BpeByHand& bpe) {
  std::printf("\nmerge %zu: the most frequent pair is %s, %llu times\n", rank,
              pair_text(pair).c_str(), static_cast<unsigned long long>(pair.count));
  for (const std::string& word : example_words(bpe)) std::printf("  %s\n", word.c_str());
}

void show_word(const std::string& word, const Merges& merges) {
  const auto rows = apply_merges(word, merges);
  std::printf("\n%s -> %s\n", word.c_str(), joined(rows.front(), " ").c_str());
  for (size_t i = 1; i < rows.size(); ++i)
    std::printf("  after merge %2zu: %s\n", i, joined(rows[i], " ").c_str());
}

// The pieces of a text's words, "|" behind each word.
std::string pieces_line(const std::string& text, const Merges& merges) {
  std::string out;
  for (const std::string& word : words_of(text))
    out += (out.empty() ? "" : " ") + joined(merged_pieces(word, merges), " ") + " |";
  return out;
}

std::vector<int32_t> ids_of(const std::vector<std::string>& pieces,
                            const MergedVocabulary& vocabulary) {
  std::vector<int32_t> ids;
  for (const std::string& piece : pieces) ids.push_back(vocabulary.id(piece));
  return ids;
}

void show_texts(const LearnBpeArguments& arguments, const Merges& merges,
                const MergedVocabulary& vocabulary) {
  if (!arguments.word.empty()) {
    show_word(arguments.word, merges);
    const auto pieces = merged_pieces(arguments.word, merges);
    std::printf("pieces: %s\n", joined(pieces, " ").c_str());
  }
  if (!arguments.sentence.empty()) {
    for (const std::string& word : words_of(arguments.sentence)) show_word(word, merges);
    std::printf("\nsentence: %s\n", pieces_line(arguments.sentence, merges).c_str());
  }
  std::printf("\nvocabulary of %zu pieces, the first of them:\n", vocabulary.pieces().size());
  for (size_t i = 0; i < std::min(kFirstVocabulary, vocabulary.pieces().size()); ++i)
    std::printf("  %s : %d\n", vocabulary.pieces()[i].first.c_str(), vocabulary.pieces()[i].second);
  if (arguments.word.empty()) return;
  std::string ids;
  for (const int32_t id : ids_of(merged_pieces(arguments.word, merges), vocabulary))
    ids += " " + std::to_string(id);
  std::printf("ids of %s:%s\n", arguments.word.c_str(), ids.c_str());
}

void learn(const LearnBpeArguments& arguments) {
  for (const auto& [flag, text] :
       {std::pair("--word", &arguments.word), std::pair("--sentence", &arguments.sentence)})
    if (const size_t bad = first_invalid_utf8(*text); bad != kValid)
      throw usage_error(std::string(flag) + ": not valid UTF-8 at byte " + std::to_string(bad));
  BpeByHand bpe;
  read_files(arguments.files, &bpe);
  if (arguments.show) show_counts(bpe);
  Merges merges;
  while (merges.size() < arguments.merges) {
    const auto pair = bpe.merge();
    if (!pair) break;
    merges.push_back(*pair);
    if (arguments.show) show_merge(merges.size(), *pair, bpe);
  }
  const MergedVocabulary vocabulary(merges);
  if (arguments.show) std::printf("\n%zu merges:\n", merges.size());
  for (size_t i = 0; i < merges.size(); ++i)
    std::printf("%6zu  %s  %llu\n", i + 1, pair_text(merges[i]).c_str(),
                static_cast<unsigned long long>(merges[i].count));
  if (arguments.show) {
    show_texts(arguments, merges, vocabulary);
  } else if (!arguments.sentence.empty() || !arguments.word.empty()) {
    const std::string& text = arguments.sentence.empty() ? arguments.word : arguments.sentence;
    std::printf("%s\n", pieces_line(text, merges).c_str());
  }
}

}  // namespace

void add_learn_bpe(CLI::App& tokenizer) {
  auto arguments = std::make_shared<LearnBpeArguments>();
  CLI::App* command = tokenizer.add_subcommand(
      "learn-bpe", "learn byte-pair merges of words by hand, to look at (it makes no model)");
  command->add_option("files", arguments->files, "text files, .zst and .gz too")->required();
  command->add_option("--merges", arguments->merges, "how many")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_flag("--show", arguments->show,
                    "every step: words, pairs, merges with five example words, vocabulary and ids");
  command->add_option("--word", arguments->word, "cut this word by the merges");
  command->add_option("--sentence", arguments->sentence, "cut the words of this text likewise");
  command->callback([arguments] { learn(*arguments); });
}

}  // namespace minibert
