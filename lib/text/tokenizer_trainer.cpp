// Training a tokenizer, SentencePiece through its C++ API, and the cache of models once trained.
#include <sentencepiece_trainer.h>
#include <unistd.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "core/characters.h"
#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "core/text.h"
#include "core/utf8.h"
#include "text/byte_bpe_trainer.h"
#include "text/line_reader.h"
#include "text/python_text.h"
#include "text/tokenizer.h"

namespace minibert {
namespace {

constexpr std::string_view kReservedSign = "\xe2\x96\x85";  // ▅
constexpr char kNormalization[] = "nmt_nfkc";
constexpr size_t kLongestSentence = 999999;  // bytes; SentencePiece passes over a longer one
constexpr size_t kLongestBpeWord = 65535;    // characters, as its BPE trainer counts in 16 bits
constexpr size_t kWorstExpansion = 18;       // characters that NFKC makes of one

// Returns the length in characters of a line's longest word, between SentencePiece's spaces.
size_t longest_run(std::u32string_view line) {
  constexpr char32_t kSpaceSign = 0x2581;  // SentencePiece's own for a space
  size_t longest = 0, run = 0;
  for (const char32_t c : line) {
    run = is_sentencepiece_space(c) || c == kSpaceSign ? 0 : run + 1;
    longest = std::max(longest, run);
  }
  return longest;
}

// The same of the text that the trainer counts, which NFKC may have lengthened (㎏ is two characters).
size_t longest_word(const std::string& line) {
  if (line.size() * kWorstExpansion <= kLongestBpeWord) return line.size();
  const size_t longest = longest_run(to_code_points(line));
  if (longest * kWorstExpansion <= kLongestBpeWord) return longest;
  utf8proc_uint8_t* normalized = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(line.data()),
      static_cast<utf8proc_ssize_t>(line.size()), &normalized,
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT));
  const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(normalized, std::free);
  if (size < 0) throw Error(std::string("utf8proc: ") + utf8proc_errmsg(size));
  return longest_run(
      to_code_points({reinterpret_cast<const char*>(normalized), static_cast<size_t>(size)}));
}

// The lines of several files that are not blank, one after the other; a line that is too long for
// SentencePiece in parts, cut at white space.
class Lines : public sentencepiece::SentenceIterator {
 public:
  // `words`: whether the trainer has a longest word.
  Lines(const std::vector<std::string>& files, bool words) : files_(files), words_(words) {
    Next();
  }

  bool done() const override { return done_; }
  const std::string& value() const override { return line_; }
  sentencepiece::util::Status status() const override { return {}; }

  // SentencePiece itself takes no exceptions: an error ends the text and is kept for afterwards.
  void Next() override {
    try {
      while (advance()) {
        if (strip(line_).empty()) continue;
        // SentencePiece would leave the line out in silence, as it keeps the sign for its own use.
        for (size_t at = 0; (at = line_.find(kReservedSign, at)) != std::string::npos;)
          line_.replace(at, kReservedSign.size(), " ");
        const size_t longest = words_ ? longest_word(line_) : 0;
        if (longest > kLongestBpeWord)
          throw Error(reader_->where() + ": " + std::to_string(longest) +
                      " characters without a space, expected at most " +
                      std::to_string(kLongestBpeWord));
        ++count_;
        return;
      }
    } catch (...) {
      error_ = std::current_exception();
    }
    done_ = true;
  }

  size_t count() const { return count_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  bool advance() {
    for (;;) {
      if (!rest_.empty()) return take_part();
      if (reader_ && reader_->next(&line_)) {
        if (first_invalid_utf8(line_) != kValid)
          throw Error(reader_->where() + ": not valid UTF-8");
        if (line_.size() <= kLongestSentence) return true;
        rest_ = std::move(line_);
        continue;
      }
      if (next_file_ == files_.size()) return false;
      reader_ = std::make_unique<LineReader>(files_[next_file_++]);
    }
  }

  bool take_part() {
    line_ = clipped(rest_, kLongestSentence);
    if (line_.size() < rest_.size())
      if (const size_t space = line_.find_last_of(" \t"); space != std::string::npos && space > 0)
        line_.resize(space);
    rest_.erase(0, line_.size());
    return true;
  }

  std::vector<std::string> files_;
  bool words_;
  size_t next_file_ = 0;
  std::unique_ptr<LineReader> reader_;
  std::string rest_;  // of a long line
  std::string line_;
  size_t count_ = 0;
  bool done_ = false;
  std::exception_ptr error_;
};

std::unordered_map<std::string, std::string> trainer_options(const TokenizerSettings& settings,
                                                             bool shrink_to_fit) {
  return {{"model_type", settings.type},
          {"vocab_size", std::to_string(settings.vocab_size)},
          {"character_coverage", std::to_string(settings.character_coverage)},
          {"byte_fallback", settings.byte_fallback ? "true" : "false"},
          {"hard_vocab_limit", shrink_to_fit ? "false" : "true"},
          {"normalization_rule_name", kNormalization},
          {"max_sentence_length", std::to_string(kLongestSentence)},
          {"pad_id", std::to_string(kPad)},
          {"unk_id", std::to_string(kUnk)},
          {"bos_id", std::to_string(kBos)},
          {"eos_id", std::to_string(kEos)},
          {"pad_piece", "[PAD]"},
          {"unk_piece", "[UNK]"},
          {"bos_piece", "[BOS]"},
          {"eos_piece", "[EOS]"},
          {"user_defined_symbols", "[SEP],[CLS],[MASK]"},
          // SentencePiece's log, a line every twenty pieces, goes to a terminal alone.
          {"minloglevel", isatty(STDERR_FILENO) == 1 ? "0" : "2"}};
}

std::string train_byte_level(const std::vector<std::string>& text_files,
                             const TokenizerSettings& settings, bool shrink_to_fit) {
  const TokenizerSettings defaults;
  if (settings.character_coverage != defaults.character_coverage)
    throw usage_error("tokenizer.character_coverage: not a setting of byte_bpe");
  if (settings.byte_fallback)
    throw usage_error("tokenizer.byte_fallback: not a setting of byte_bpe, which knows every byte");
  if (settings.vocab_size < kSmallestByteBpe)
    throw usage_error("tokenizer.vocab_size: found " + std::to_string(settings.vocab_size) +
                      ", expected at least " + std::to_string(kSmallestByteBpe) +
                      " of byte_bpe (7 special pieces, 256 bytes)");
  const ByteBpe bpe = train_byte_bpe(text_files, settings.vocab_size);
  if (bpe.pieces.size() < static_cast<size_t>(settings.vocab_size) && !shrink_to_fit)
    throw Error("the tokenizer cannot be trained with " + std::to_string(settings.vocab_size) +
                " pieces: this text allows at most " + std::to_string(bpe.pieces.size()));
  return to_tokenizer_json(bpe);
}

// SentencePiece's reason without the place in its source and the condition before it:
// "Internal: /…/trainer_interface.cc(610) [(size) <= (most)] Vocabulary size too high (…)". Where nothing stands behind
// the condition, it is the reason.
std::string reason_of(const sentencepiece::util::Status& status) {
  const std::string text = status.ToString();
  const size_t condition = text.rfind(") [");
  const size_t end = condition == std::string::npos ? condition : text.find("] ", condition);
  if (end == std::string::npos) return text;
  const std::string_view behind = trimmed(std::string_view(text).substr(end + 2));
  return std::string(behind.empty() ? trimmed(text) : behind);
}

}  // namespace

std::string train_tokenizer(const std::vector<std::string>& text_files,
                            const TokenizerSettings& settings, bool shrink_to_fit) {
  if (settings.type == "byte_bpe") return train_byte_level(text_files, settings, shrink_to_fit);
  if (settings.type != "bpe" && settings.type != "unigram")
    throw usage_error("tokenizer.type: found \"" + settings.type +
                      "\", expected bpe, unigram or byte_bpe");
  Lines lines(text_files, settings.type == "bpe");
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      trainer_options(settings, shrink_to_fit), &lines, &model);
  lines.rethrow();
  if (lines.count() == 0) throw Error("every line of the tokenizer's text is blank");
  if (!status.ok())
    throw Error("the tokenizer cannot be trained with " + std::to_string(settings.vocab_size) +
                " pieces on this text: " + reason_of(status));
  return model;
}

std::string train_tokenizer_cached(const std::vector<std::string>& text_files,
                                   const TokenizerSettings& settings, bool shrink_to_fit,
                                   const std::string& cache_dir, bool* from_cache) {
  std::string key = settings.type + "/" + std::to_string(settings.vocab_size) + "/" +
                    std::to_string(settings.character_coverage) + "/" +
                    (settings.byte_fallback ? "bytes" : "") + "/" + (shrink_to_fit ? "fit" : "");
  for (const std::string& file : text_files) key += "/" + sha256_file(file);
  const std::string path = cache_dir + "/" + sha256_hex(key).substr(0, 32) + ".model";
  const bool cached = std::filesystem::exists(path);
  if (from_cache) *from_cache = cached;
  if (cached) return read_file(path);
  std::string model = train_tokenizer(text_files, settings, shrink_to_fit);
  replace_shared_file(path, [&](const std::string& own) { write_file(own, model); });
  return model;
}

}  // namespace minibert
