#include "checkpoint/huggingface_tokenizer.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "checkpoint/added_pieces.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/folder_settings.h"
#include "checkpoint/tokenizer_json.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "core/utf8.h"
#include "text/byte_bpe_file.h"
#include "text/wordpiece_file.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr char kWordPieceFile[] = "vocab.txt";
constexpr char kSentencePieceFile[] = "spiece.model";
constexpr char kPiecesFile[] = "vocab.json", kMergesFile[] = "merges.txt";  // of GPT-2 and RoBERTa
// RoBERTa's names of our first pieces, by id: [BOS] and [CLS] are one piece there, as [EOS] and [SEP] are.
constexpr std::array<std::string_view, kFirstOrdinaryPiece> kRobertaNames = {
    "<pad>", "<unk>", "<s>", "</s>", "</s>", "<s>", "<mask>"};
constexpr std::string_view kPadding = "[PAD]";
constexpr int64_t kMostPieceRows = 65535;  // of a checkpoint's tables

// Whether a vocab.txt can have these pieces, one a line.
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
    try {
      read_vocabulary();
    } catch (const json::exception& error) {
      throw Error((out_.files.empty() ? folder_ : out_.files.back()) +
                  ": not a tokenizer's JSON: " + error.what());
    }
    return std::move(out_);
  }

 private:
  void read_vocabulary() {
    if (has(kSentencePieceFile)) {
      const Tokenizer tokenizer = keep(kSentencePieceFile, read_file(used(kSentencePieceFile)));
      // Newer transformers lists added pieces there alone.
      const json file = has(kTokenizerFile) ? read_json(used(kTokenizerFile)) : json();
      leave_out_unknown(file.is_object() ? file.value("added_tokens", json()) : json(), tokenizer);
    } else if (has(kTokenizerFile)) {
      read_tokenizer_file();
    } else if (has(kPiecesFile) && has(kMergesFile)) {
      read_roberta_files();
    } else if (has(kWordPieceFile)) {
      WordPieceRows rows =
          read_wordpiece_rows(read_file(used(kWordPieceFile)), path(kWordPieceFile));
      WordPieceFile file{std::move(rows.pieces), {}, {}};
      check_words_of_bert(file.pieces);
      file.treatment = likely_treatment(file.pieces);
      out_.file = path(kWordPieceFile);
      out_.rows = std::move(rows.ids);
      keep_wordpiece(std::move(file), rows.lines, json());
    } else {
      throw Error(folder_ + ": has none of " + kWordPieceFile + ", " + kSentencePieceFile + ", " +
                  kTokenizerFile + ", and " + kPiecesFile + " with " + kMergesFile +
                  ", expected a vocabulary");
    }
  }

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
  Tokenizer keep(const char* name, std::string bytes) {
    out_.file = path(name);
    out_.bytes = std::move(bytes);
    Tokenizer tokenizer = Tokenizer::from_bytes(out_.bytes, out_.file);
    number_rows(static_cast<size_t>(tokenizer.size()));
    return tokenizer;
  }
  json parsed(const std::string& bytes) const {
    try {
      return parse_json(bytes);
    } catch (const Error& error) {
      throw Error(out_.file + ": " + error.what());
    }
  }
  // A setting that may be missing or null.
  static bool flag_of(const json& settings, const char* key, bool otherwise,
                      const std::string& where) {
    const json found = settings.value(key, json());
    if (found.is_null()) return otherwise;
    if (!found.is_boolean())
      throw Error(where + ": " + key + ": found " + shown_value(found) +
                  ", expected true or false");
    return found.get<bool>();
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
    if (is_wordpiece_json(bytes)) {
      out_.file = path(kTokenizerFile);
      WordPieceFile file = read_wordpiece_json(bytes, out_.file);
      const size_t count = file.pieces.size();
      number_rows(count);
      return keep_wordpiece(std::move(file), static_cast<int64_t>(count),
                            parsed(bytes).value("added_tokens", json::array()));
    }
    if (!is_tokenizer_json(bytes)) throw Error(path(kTokenizerFile) + ": not a tokenizer.json");
    out_.file = path(kTokenizerFile);
    const json file = parsed(bytes);
    const json model = file.value("model", json::object());
    expect_object(model, out_.file + ": model");
    if (const json vocabulary = model.value("vocab", json());
        vocabulary.is_object() && vocabulary.contains(kRobertaNames[kCls])) {
      check_byte_bpe_settings(bytes, out_.file);
      check_roberta_pieces(file.value("added_tokens", json::array()));
      const json words = file.value("pre_tokenizer", json::object());
      const bool space_first =
          flag_of(words, "add_prefix_space", true, out_.file + ": pre_tokenizer");
      return keep_roberta(vocabulary, model.value("merges", json::array()), ask_space(space_first),
                          out_.file + ": model.merges");
    }
    leave_out_unknown(
        json(),
        keep(kTokenizerFile, to_tokenizer_json(read_tokenizer_json(bytes, path(kTokenizerFile)))));
  }

  void read_roberta_files() {
    out_.file = path(kPiecesFile);
    const json vocabulary = read_json(used(kPiecesFile));
    expect_object(vocabulary, out_.file);
    const std::string text = read_file(used(kMergesFile));
    if (first_invalid_utf8(text) != kValid) throw Error(path(kMergesFile) + ": not valid UTF-8");
    json merges = json::array();
    std::istringstream lines(text);
    for (std::string line; next_line(lines, &line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!line.empty() && !line.starts_with("#version")) merges.push_back(line);
    }
    check_roberta_pieces(json());
    const bool space_first =
        flag_of(settings_.settings(), "add_prefix_space", false, path(kSettingsFile));
    tell_space(space_first,
               settings_.said("add_prefix_space").value.is_null() ? "as RoBERTa's" : kSettingsFile);
    keep_roberta(vocabulary, merges, space_first, path(kMergesFile));
  }

  static bool is_roberta_name(const std::string& piece) {
    return std::ranges::find(kRobertaNames, piece) != kRobertaNames.end();
  }

  // Tells of the pieces beside the vocabulary that are not `known` here, and returns the others.
  template <class Known>
  AddedPieces leave_out_added(const json& listed, Known known) {
    AddedPieces found = settings_.how_found(listed);
    std::erase_if(found, [&](const auto& item) {
      if (known(item.first)) return false;
      out_.added_left_out.push_back(item.first);
      return true;
    });
    return found;
  }
  void leave_out_unknown(const json& listed, const Tokenizer& tokenizer) {
    leave_out_added(listed, [&](const std::string& piece) {
      return tokenizer.piece(tokenizer.id(piece)) == piece;
    });
  }

  void check_roberta_pieces(const json& listed) {
    for (const auto& [key, id] :
         {std::pair("cls_token", kCls), {"sep_token", kSep}, {"mask_token", kMask}})
      settings_.expect_special(key, kRobertaNames[id]);
    const std::string mask(kRobertaNames[kMask]);
    const AddedPieces found = leave_out_added(listed, is_roberta_name);
    check_added_to_bytes(found, mask);
    // transformers 5 writes so of a vocab.json with merges.txt; RoBERTa itself was trained without that space.
    const auto of_mask = found.find(mask);
    mask_keeps_space_ = of_mask != found.end() && !of_mask->second.lstrip.value_or(true);
  }

  // Whether a space goes before a text: to classes of GPT-2's kind the settings say it, whatever tokenizer.json does,
  // and where they say nothing, that. With other classes versions of transformers follow either.
  bool ask_space(bool of_file) {
    constexpr char kKey[] = "add_prefix_space";
    const bool asked = flag_of(settings_.settings(), kKey, of_file, path(kSettingsFile));
    if (asked != of_file && !settings_.made_by({"Bart", "GPT2", "LED", "Longformer", "Roberta"}))
      throw usage_error(path(kSettingsFile) + ": " + kKey + ": found " + json(asked).dump() +
                        ", expected " + json(of_file).dump() + " as in " + kTokenizerFile +
                        ", since versions of transformers differ in which of the two they follow");
    tell_space(asked, asked == of_file ? std::string("as ") + kTokenizerFile
                                       : std::string(kSettingsFile) + ", not as " + kTokenizerFile);
    return asked;
  }
  void tell_space(bool space_first, const std::string& by) {
    out_.treatment =
        std::string(space_first ? "a space put before a text, none behind a special piece"
                                : "no space put before a text") +
        " (" + by + ")" +
        (mask_keeps_space_
             ? "; the space before a mask left out, which transformers keeps here (lstrip false)"
             : "");
  }

  // RoBERTa's pieces in our order. Pieces that no merge makes stand in no text; they are left out. `merges_place`
  // is for messages.
  void keep_roberta(const json& vocabulary, const json& merges, bool space_first,
                    const std::string& merges_place) {
    const auto fail = [&](const std::string& what) { throw Error(out_.file + ": " + what); };
    const auto fail_merge = [&](const std::string& what) {
      throw Error(merges_place + ": " + what);
    };
    ByteBpe bpe;
    bpe.space_first = space_first;
    std::map<std::string, int64_t> row;
    std::map<int64_t, std::string> piece_of, ordinary;
    for (const auto& [piece, id] : vocabulary.items()) {
      const int64_t place = id.is_number_integer() ? id.get<int64_t>() : -1;
      if (place < 0 || place >= kMostPieceRows)
        fail("\"" + piece + "\": found " + shown_value(id) + ", expected an id below " +
             std::to_string(kMostPieceRows));
      if (const auto [other, is_new] = piece_of.emplace(place, piece); !is_new)
        fail("the id " + std::to_string(place) + " is of \"" + other->second + "\" and of \"" +
             piece + "\"");
      row[piece] = place;
      if (!is_roberta_name(piece)) ordinary[place] = piece;
    }
    for (size_t id = 0; id < kRobertaNames.size(); ++id) {
      const auto found = row.find(std::string(kRobertaNames[id]));
      if (found == row.end()) fail("has no piece " + std::string(kRobertaNames[id]));
      bpe.pieces.emplace_back(kSpecialPieceNames[id]);
      out_.rows.push_back(found->second);
    }
    std::set<std::string> made;
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const json& merge : merges) {
      const std::string text = merge.is_string() ? merge.get<std::string>() : "";
      const size_t space = text.find(' ');
      if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
        pairs.emplace_back(merge[0], merge[1]);
      else if (space != std::string::npos)
        pairs.emplace_back(text.substr(0, space), text.substr(space + 1));
      else
        fail_merge("found " + shown_value(merge) + ", expected \"left right\"");
      made.insert(pairs.back().first + pairs.back().second);
    }
    std::map<std::string, int32_t> ids;
    for (const auto& [id, piece] : ordinary) {
      if (code_point_offsets(piece).size() > 2 && !made.contains(piece)) continue;
      ids[piece] = static_cast<int32_t>(bpe.pieces.size());
      bpe.pieces.push_back(piece);
      out_.rows.push_back(id);
    }
    for (const auto& [left, right] : pairs) {
      if (!ids.contains(left) || !ids.contains(right))
        fail_merge("\"" + left + " " + right + "\": the vocabulary lacks a half");
      bpe.merges.emplace_back(ids.at(left), ids.at(right));
    }
    out_.bytes = to_tokenizer_json(bpe);
    Tokenizer::from_bytes(out_.bytes, out_.file);  // throws where a byte has no piece
  }

  // Kinds of classes that make BERT's words themselves, as their settings say.
  static std::vector<std::string> of_bert() {
    return {"Bert",     "ConvBert", "DistilBert", "Electra",   "Funnel",
            "LayoutLM", "Lxmert",   "MobileBert", "RetriBert", "SqueezeBert"};
  }

  // How the settings ask for text to be treated. Returns whether they say something of letters.
  bool set_treatment(BertTreatment* treatment) const {
    ConfigReader reader(settings_.settings(), path(kSettingsFile));
    const auto given = [&](const char* key) { return !settings_.said(key).value.is_null(); };
    if (given("tokenize_chinese_chars"))
      treatment->split_ideographs = reader.boolean("tokenize_chinese_chars");
    if (given("do_lower_case")) {
      treatment->lower_case = reader.boolean("do_lower_case");
      treatment->strip_accents = treatment->lower_case;
    }
    if (given("strip_accents")) treatment->strip_accents = reader.boolean("strip_accents");
    return given("do_lower_case") || given("strip_accents");
  }

  // BERT's classes make the words anew, as the settings say and not as tokenizer.json does, which says all to another
  // class.
  void ask_treatment(bool of_json, BertTreatment* treatment) {
    const BertTreatment before = *treatment;
    BertTreatment asked = before;
    const bool told = set_treatment(&asked), differs = asked != before;
    const bool obeyed = !of_json || settings_.made_by(of_bert());
    std::string by = of_json ? std::string("as ") + kTokenizerFile : "told from the pieces";
    if (obeyed && (told || differs)) by = kSettingsFile;
    if (of_json && differs)
      by += std::string(", not as ") + (obeyed ? kTokenizerFile : kSettingsFile);
    if (obeyed) *treatment = asked;
    out_.treatment = std::string(treatment->lower_case ? "lower case" : "case kept") +
                     (treatment->strip_accents ? ", accents stripped" : ", accents kept") +
                     (treatment->split_ideographs ? "" : ", ideographs not split") + " (" + by +
                     ")";
  }

  // `next`: the row behind the vocabulary's.
  void add_pieces(int64_t next, WordPieceFile* file) {
    for (const auto& [id, content] : settings_.added_ids()) {
      const auto place = std::ranges::find(out_.rows, id) - out_.rows.begin();
      if (place < std::ssize(out_.rows) && file->pieces[static_cast<size_t>(place)] == content) {
        if (std::ranges::find(file->added, content) == file->added.end())
          file->added.push_back(content);
        continue;
      }
      if (id != next)
        throw Error(folder_ + ": the added piece \"" + content + "\" has the id " +
                    std::to_string(id) + ", expected " + std::to_string(next) +
                    ", the next behind the vocabulary");
      out_.rows.push_back(next++);
      file->pieces.push_back(content);
      file->added.push_back(content);
    }
  }

  // Pieces of the vocabulary that a setting names stand for themselves, too.
  void add_named(const json& listed, WordPieceFile* file) {
    const std::set<std::string> pieces(file->pieces.begin(), file->pieces.end());
    const AddedPieces found =
        leave_out_added(listed, [&](const std::string& piece) { return pieces.contains(piece); });
    check_added_to_wordpiece(found, file->treatment);
    const std::set<std::string> before(file->added.begin(), file->added.end());
    for (const auto& [piece, how] : found)
      if (!is_bert_special(piece) && !before.contains(piece)) file->added.push_back(piece);
  }

  // `rows`: of the checkpoint's tables, without those of added pieces; out_.rows has which are whose. `listed`:
  // tokenizer.json's "added_tokens"; null of a vocab.txt.
  void keep_wordpiece(WordPieceFile file, int64_t rows, const json& listed) {
    for (const auto& [key, piece] : {std::pair("unk_token", "[UNK]"),
                                     {"cls_token", "[CLS]"},
                                     {"sep_token", "[SEP]"},
                                     {"mask_token", "[MASK]"}})
      settings_.expect_special(key, piece);
    ask_treatment(!listed.is_null(), &file.treatment);
    add_pieces(rows, &file);
    add_named(listed, &file);
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
  bool mask_keeps_space_ = false;
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
