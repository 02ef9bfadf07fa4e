#include "checkpoint/huggingface_tokenizer.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

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

bool flag_of(const AddedPiece& piece, const char* key, bool otherwise) {
  const json found = piece.flags.value(key, json());
  if (found.is_null()) return otherwise;
  if (!found.is_boolean())
    throw Error(piece.where + ": " + key + ": found " + shown_value(found) +
                ", expected true or false");
  return found.get<bool>();
}

// Throws Error naming place and flag where the tokenizers library finds the piece in other places of a text than
// WordPiece does here, which finds it in the text as it is typed, the longest first.
void check_added(const AddedPiece& piece, const BertTreatment& treatment) {
  if (flag_of(piece, "single_word", false))
    throw Error(piece.where +
                ": single_word: found true, expected false, as pieces are found inside words here");
  const bool special = flag_of(piece, "special", piece.is_special);
  const bool changed = treatment.lower_case || treatment.strip_accents ||
                       piece.text.find_first_of(" \t\n\r") != std::string::npos;
  if (flag_of(piece, "normalized", !special) && changed)
    throw Error(piece.where + ": normalized: found " +
                (piece.flags.contains("normalized") ? "true" : "nothing") +
                ", expected false, as pieces are found here before the text is changed");
}

class FolderReader {
 public:
  explicit FolderReader(const std::string& folder) : folder_(folder), settings_(folder) {
    out_.files = settings_.files();
  }

  FolderTokenizer read() {
    if (has(kSentencePieceFile)) {
      keep(kSentencePieceFile, read_file(used(kSentencePieceFile)));
      // transformers lists added pieces there.
      if (has(kTokenizerFile)) check_known(listed_in(read_json(used(kTokenizerFile))));
    } else if (has(kTokenizerFile)) {
      read_tokenizer_file();
    } else if (has(kWordPieceFile)) {
      WordPieceRows rows =
          read_wordpiece_rows(read_file(used(kWordPieceFile)), path(kWordPieceFile));
      WordPieceFile file{std::move(rows.pieces), {}, {}};
      check_words_of_bert(file.pieces);
      file.treatment = likely_treatment(file.pieces);
      out_.file = path(kWordPieceFile);
      out_.rows = std::move(rows.ids);
      keep_wordpiece(std::move(file), rows.lines, nullptr);
    } else {
      throw Error(folder_ + ": has none of " + kWordPieceFile + ", " + kTokenizerFile + " and " +
                  kSentencePieceFile + ", expected a vocabulary");
    }
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
  // Another tokenizer than WordPiece, which has no pieces beside its own.
  void keep(const char* name, std::string bytes) {
    out_.file = path(name);
    out_.bytes = std::move(bytes);
    number_rows(static_cast<size_t>(Tokenizer::from_bytes(out_.bytes, out_.file).size()));
    check_known(settings_.added());
  }
  void check_known(const std::vector<AddedPiece>& pieces) const {
    const Tokenizer tokenizer = Tokenizer::from_bytes(out_.bytes, out_.file);
    for (const AddedPiece& one : pieces)
      if (tokenizer.piece(tokenizer.id(one.text)) != one.text)
        throw Error(one.where + ": found this piece, expected none that " + out_.file + " lacks");
  }
  // "added_tokens" of a tokenizer.json.
  std::vector<AddedPiece> listed_in(const json& file) const {
    std::vector<AddedPiece> out;
    if (!file.is_object() || !file.contains("added_tokens")) return out;
    for (const json& token : file.at("added_tokens")) {
      out.push_back(read_added_piece(token, path(kTokenizerFile) + ": added_tokens"));
      out.back().is_special = is_bert_special(out.back().text);
    }
    return out;
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

  void read_tokenizer_file() {
    const std::string bytes = read_file(used(kTokenizerFile));
    if (!is_wordpiece_json(bytes))
      return keep(kTokenizerFile,
                  to_tokenizer_json(read_tokenizer_json(bytes, path(kTokenizerFile))));
    out_.file = path(kTokenizerFile);
    WordPieceFile file = read_wordpiece_json(bytes, out_.file);
    const size_t count = file.pieces.size();
    number_rows(count);
    keep_wordpiece(std::move(file), static_cast<int64_t>(count), parse_json(bytes));
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

  // `rows`: of the checkpoint's tables, without rows of added pieces; out_.rows maps pieces to
  // rows. `json_file`: tokenizer.json; null for a vocab.txt.
  void keep_wordpiece(WordPieceFile file, int64_t rows, const json& json_file) {
    for (const auto& [key, piece] : {std::pair("unk_token", "[UNK]"),
                                     {"cls_token", "[CLS]"},
                                     {"sep_token", "[SEP]"},
                                     {"mask_token", "[MASK]"}})
      settings_.expect_special(key, piece);
    ask_treatment(!json_file.is_null(), &file.treatment);
    add_pieces(rows, listed_in(json_file), &file);
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

  // Pieces behind the vocabulary get the rows from `next` on; pieces in the vocabulary that a file
  // lists or names also stand for themselves. `listed`: by tokenizer.json.
  void add_pieces(int64_t next, const std::vector<AddedPiece>& listed, WordPieceFile* file) {
    const std::vector<AddedPiece> added = settings_.added(), named = settings_.named();
    std::set<std::string> special;
    for (const AddedPiece& piece : named) special.insert(piece.text);
    std::map<std::string, int64_t> rows;
    for (size_t i = 0; i < file->pieces.size(); ++i) rows[file->pieces[i]] = out_.rows[i];
    for (const std::vector<AddedPiece>& list : {listed, added, named})
      for (AddedPiece piece : list) {
        piece.is_special = piece.is_special || special.contains(piece.text);
        check_added(piece, file->treatment);
        const auto [row, is_new] = rows.emplace(piece.text, next);
        if (piece.id != row->second && (is_new || piece.id >= 0))
          throw Error(piece.where + ": found " +
                      (piece.id < 0 ? "no id" : "the id " + std::to_string(piece.id)) +
                      ", expected " + std::to_string(row->second) +
                      (is_new ? ", the next behind the vocabulary" : ", its place there"));
        if (is_new) {
          out_.rows.push_back(next++);
          file->pieces.push_back(piece.text);
        }
        const bool before = std::ranges::find(file->added, piece.text) != file->added.end();
        if (!before && (piece.id >= 0 || !is_bert_special(piece.text)))
          file->added.push_back(piece.text);
      }
  }

  // A vocab.txt where that says all, so that its import is what it was before.
  static std::string bytes_of(const WordPieceFile& file) {
    const bool only_specials = std::ranges::all_of(file.added, is_bert_special);
    if (stored_treatment(file.pieces) != file.treatment || !only_specials ||
        !are_lines(file.pieces))
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
  WordPieceFile file{read_wordpiece_lines(tokenizer.bytes(), name), {}, {}};
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
