#include "checkpoint/huggingface_tokenizer.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "checkpoint/checkpoint.h"
#include "checkpoint/folder_settings.h"
#include "checkpoint/tokenizer_json.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/files.h"
#include "text/byte_bpe_file.h"
#include "text/wordpiece_file.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr char kWordPieceFile[] = "vocab.txt";
constexpr char kSentencePieceFile[] = "spiece.model";
constexpr std::string_view kPadding = "[PAD]";

// Returns true if a vocab.txt can hold these pieces, one a line.
bool are_lines(const std::vector<std::string>& pieces) {
  return std::ranges::none_of(pieces, [](const std::string& piece) {
    return piece.find('\n') != std::string::npos || piece.ends_with('\r');
  });
}

class FolderReader {
 public:
  explicit FolderReader(const std::string& folder) : folder_(folder), settings_(folder) {
    out_.files = settings_.files();
  }

  FolderTokenizer read() {
    nlohmann::json tokenizer;
    if (has(kSentencePieceFile)) {
      keep(kSentencePieceFile, read_file(used(kSentencePieceFile)));
      if (has(kTokenizerFile)) tokenizer = read_json(used(kTokenizerFile));
    } else if (has(kTokenizerFile)) {
      tokenizer = read_tokenizer_file();
    } else if (has(kWordPieceFile)) {
      WordPieceRows rows =
          read_wordpiece_rows(read_file(used(kWordPieceFile)), path(kWordPieceFile));
      WordPieceFile file{std::move(rows.pieces), {}};
      check_words_of_bert(file.pieces);
      file.treatment = likely_treatment(file.pieces);
      out_.file = path(kWordPieceFile);
      out_.rows = std::move(rows.ids);
      keep_wordpiece(std::move(file), /*of_json=*/false);
    } else {
      throw Error(folder_ + ": has none of " + kWordPieceFile + ", " + kTokenizerFile + " and " +
                  kSentencePieceFile + ", expected a vocabulary");
    }
    refuse_added(tokenizer);
    return std::move(out_);
  }

 private:
  std::string path(const char* name) const { return (fs::path(folder_) / name).string(); }
  bool has(const char* name) const { return fs::exists(path(name)); }
  std::string used(const char* name) {
    out_.files.push_back(path(name));
    refuse_lfs_pointer(path(name));
    return path(name);
  }
  void number_rows(size_t count) {
    out_.rows.resize(count);
    std::iota(out_.rows.begin(), out_.rows.end(), 0);
  }
  // Another tokenizer than WordPiece.
  void keep(const char* name, std::string bytes) {
    out_.file = path(name);
    out_.bytes = std::move(bytes);
    number_rows(static_cast<size_t>(Tokenizer::from_bytes(out_.bytes, out_.file).size()));
  }
  // Throws a usage Error where a piece was added to the vocabulary that is not special.
  void refuse_added(const json& tokenizer_file) const {
    const Tokenizer tokenizer = Tokenizer::from_bytes(out_.bytes, out_.file);
    for (const auto& [piece, where] : settings_.added(tokenizer_file)) {
      const auto text = piece.get<std::string>();
      const int32_t id = tokenizer.id(text);
      if (!tokenizer.is_special(id) || tokenizer.piece(id) != text)
        throw usage_error(where + ": found the piece \"" + text +
                          "\", expected only special pieces of the vocabulary");
    }
  }

  // A vocabulary alone does not say how words are found; other tokenizers than BERT's have a vocab.txt, too (KoBERT's
  // is SentencePiece's, Japanese BERT's words are MeCab's), with which every word would be unknown.
  void check_words_of_bert(const std::vector<std::string>& pieces) {
    const auto refuse = [&](const FolderSetting& found, const std::string& expected) {
      throw usage_error(found.where + ": found " + found.value.dump() + ", expected " + expected +
                        ", or a " + kTokenizerFile);
    };
    std::vector<std::string> kinds = of_bert();
    kinds.emplace_back("PreTrained");
    if (!settings_.made_by(kinds))
      refuse(settings_.tokenizer_class(), "one that finds words as BertTokenizer does");
    if (const FolderSetting basic = settings_.said("do_basic_tokenize"); basic.value == false)
      refuse(basic, "true");
    const FolderSetting words = settings_.said("word_tokenizer_type");
    if (!words.value.is_null() && words.value != "basic") refuse(words, "\"basic\"");
    const auto begin_with = [&](std::string_view mark) {
      return std::ranges::count_if(
          pieces, [&](const std::string& piece) { return piece.starts_with(mark); });
    };
    if (begin_with("▁") > begin_with("##"))
      throw usage_error(
          path(kWordPieceFile) +
          ": found pieces with ▁, as SentencePiece has them, expected BERT's with ##, "
          "or a " +
          kTokenizerFile);
  }

  json read_tokenizer_file() {
    const std::string bytes = read_file(used(kTokenizerFile));
    if (!is_wordpiece_json(bytes)) {
      keep(kTokenizerFile, to_tokenizer_json(read_tokenizer_json(bytes, path(kTokenizerFile))));
    } else {
      out_.file = path(kTokenizerFile);
      WordPieceFile file = read_wordpiece_json(bytes, out_.file);
      number_rows(file.pieces.size());
      keep_wordpiece(std::move(file), /*of_json=*/true);
    }
    return parse_json(bytes);
  }

  // Kinds of classes that make BERT's words themselves, as their settings say.
  static std::vector<std::string> of_bert() { return {"Bert", "DistilBert", "Electra"}; }

  // BERT's classes cut words by the settings, not by tokenizer.json, which other classes follow.
  void ask_treatment(bool of_json, BertTreatment* treatment) {
    ConfigReader reader(settings_.settings(), path(kSettingsFile));
    std::string by = of_json ? kTokenizerFile : "told from the pieces";
    const auto ask = [&](const char* key, auto... flags) {
      if ((of_json && !settings_.made_by(of_bert())) || settings_.said(key).value.is_null()) return;
      by = kSettingsFile;
      ((treatment->*flags = reader.boolean(key)), ...);
    };
    ask("tokenize_chinese_chars", &BertTreatment::split_ideographs);
    ask("do_lower_case", &BertTreatment::lower_case, &BertTreatment::strip_accents);
    ask("strip_accents", &BertTreatment::strip_accents);
    out_.treatment = std::string(treatment->lower_case ? "lower case" : "case kept") +
                     (treatment->strip_accents ? ", accents stripped" : ", accents kept") +
                     (treatment->split_ideographs ? "" : ", ideographs not split") + " (" + by +
                     ")";
  }

  // out_.rows has which row of the checkpoint's tables is whose.
  void keep_wordpiece(WordPieceFile file, bool of_json) {
    for (const auto& [key, piece] : {std::pair("unk_token", "[UNK]"),
                                     {"cls_token", "[CLS]"},
                                     {"sep_token", "[SEP]"},
                                     {"mask_token", "[MASK]"}})
      settings_.expect_special(key, piece);
    ask_treatment(of_json, &file.treatment);
    // Batches are padded with the piece 0; RoBERTa's vocabularies have [CLS] there.
    const auto padding = std::ranges::find(file.pieces, kPadding);
    if (padding != file.pieces.end()) {
      const auto first = out_.rows.begin() + (padding - file.pieces.begin());
      std::rotate(out_.rows.begin(), first, first + 1);
      std::rotate(file.pieces.begin(), padding, padding + 1);
    }
    out_.bytes = bytes_of(file);
    Tokenizer::from_bytes(out_.bytes, out_.file);  // throws where a special piece is missing
  }

  // A vocab.txt where that says all, so that its import is what it was before.
  static std::string bytes_of(const WordPieceFile& file) {
    if (stored_treatment(file.pieces) != file.treatment || !are_lines(file.pieces))
      return to_wordpiece_json(file);
    std::string lines;
    for (const std::string& piece : file.pieces) lines += piece + "\n";
    return lines;
  }

  std::string folder_;
  FolderSettings settings_;
  FolderTokenizer out_;
};

// The files of a WordPiece tokenizer, which old versions of transformers read from vocab.txt.
WordPieceFile wordpiece_of(const Tokenizer& tokenizer, const std::string& name) {
  if (is_wordpiece_json(tokenizer.bytes())) return read_wordpiece_json(tokenizer.bytes(), name);
  WordPieceFile file{read_wordpiece_lines(tokenizer.bytes(), name), {}};
  file.treatment = stored_treatment(file.pieces);
  return file;
}

}  // namespace

FolderTokenizer read_huggingface_tokenizer(const std::string& folder) {
  return FolderReader(folder).read();
}

std::vector<std::pair<std::string, std::string>> huggingface_tokenizer_files(
    const Tokenizer& tokenizer, int64_t longest, const std::string& name) {
  nlohmann::ordered_json settings = {
      {"tokenizer_class", "PreTrainedTokenizerFast"},
      {"model_max_length", longest},
      {"pad_token", "[PAD]"},
      {"unk_token", "[UNK]"},
      {"cls_token", "[CLS]"},
      {"sep_token", "[SEP]"},
      {"mask_token", "[MASK]"},
      {"model_input_names", {"input_ids", "token_type_ids", "attention_mask"}},
      {"clean_up_tokenization_spaces", false}};
  std::vector<std::pair<std::string, std::string>> out;
  if (tokenizer.is_wordpiece()) {
    const WordPieceFile file = wordpiece_of(tokenizer, name);
    std::string lines;
    for (const std::string& piece : file.pieces) lines += piece + "\n";
    settings["tokenizer_class"] = "BertTokenizer";
    settings["do_lower_case"] = file.treatment.lower_case;
    settings["strip_accents"] = file.treatment.strip_accents;
    settings["tokenize_chinese_chars"] = file.treatment.split_ideographs;
    if (are_lines(file.pieces)) out.emplace_back(kWordPieceFile, lines);
    out.emplace_back(kTokenizerFile, with_special_pieces(to_wordpiece_json(file), tokenizer));
  } else if (tokenizer.is_byte_bpe()) {
    out = {{kTokenizerFile, byte_bpe_tokenizer_json(tokenizer)}};
  } else {
    out = {{kSentencePieceFile, tokenizer.bytes()},
           {kTokenizerFile, sentencepiece_tokenizer_json(tokenizer, name)}};
  }
  out.emplace_back(kSettingsFile, settings.dump(2) + "\n");
  return out;
}

}  // namespace minibert
