// Training a tokenizer, SentencePiece through its C++ API, and the cache of models once trained.
#include <sentencepiece_trainer.h>

#include <filesystem>
#include <unordered_map>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "core/utf8.h"
#include "text/byte_bpe_trainer.h"
#include "text/line_reader.h"
#include "text/tokenizer.h"

namespace minibert {
namespace {

// The lines of several files that are not blank, one after the other.
class Lines : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(const std::vector<std::string>& files) : files_(files) { Next(); }

  bool done() const override { return done_; }
  const std::string& value() const override { return line_; }
  sentencepiece::util::Status status() const override { return {}; }

  // SentencePiece itself takes no exceptions: an error ends the text and is kept for afterwards.
  void Next() override {
    try {
      while (advance()) {
        if (line_.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (first_invalid_utf8(line_) != kValid)
          throw Error(reader_->where() + ": not valid UTF-8");
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
      if (reader_ && reader_->next(&line_)) return true;
      if (next_file_ == files_.size()) return false;
      reader_ = std::make_unique<LineReader>(files_[next_file_++]);
    }
  }

  std::vector<std::string> files_;
  size_t next_file_ = 0;
  std::unique_ptr<LineReader> reader_;
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
          {"normalization_rule_name", "nmt_nfkc"},
          {"max_sentence_length", "999999"},
          {"pad_id", std::to_string(kPad)},
          {"unk_id", std::to_string(kUnk)},
          {"bos_id", std::to_string(kBos)},
          {"eos_id", std::to_string(kEos)},
          {"pad_piece", "[PAD]"},
          {"unk_piece", "[UNK]"},
          {"bos_piece", "[BOS]"},
          {"eos_piece", "[EOS]"},
          {"user_defined_symbols", "[SEP],[CLS],[MASK]"},
          {"minloglevel", "2"}};
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
                " pieces on this text: it allows " + std::to_string(bpe.pieces.size()));
  return to_tokenizer_json(bpe);
}

// SentencePiece's reason without the place in its source and the condition before it:
// "Internal: /…/trainer_interface.cc(610) [(size) <= (most)] Vocabulary size too high (…)".
std::string reason_of(const sentencepiece::util::Status& status) {
  const std::string text = status.ToString();
  const size_t condition = text.rfind(") [");
  const size_t end = condition == std::string::npos ? condition : text.find("] ", condition);
  return end == std::string::npos ? text : text.substr(end + 2);
}

}  // namespace

std::string train_tokenizer(const std::vector<std::string>& text_files,
                            const TokenizerSettings& settings, bool shrink_to_fit) {
  if (settings.type == "byte_bpe") return train_byte_level(text_files, settings, shrink_to_fit);
  if (settings.type != "bpe" && settings.type != "unigram")
    throw usage_error("tokenizer.type: found \"" + settings.type +
                      "\", expected bpe, unigram or byte_bpe");
  Lines lines(text_files);
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      trainer_options(settings, shrink_to_fit), &lines, &model);
  lines.rethrow();
  if (lines.count() == 0) throw Error("the tokenizer's text has no line that is not blank");
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
