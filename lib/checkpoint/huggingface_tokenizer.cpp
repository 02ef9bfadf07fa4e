#include "checkpoint/huggingface_tokenizer.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "checkpoint/checkpoint.h"
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
constexpr char kTokenizerFile[] = "tokenizer.json";
constexpr char kSettingsFile[] = "tokenizer_config.json";
constexpr char kAddedFile[] = "added_tokens.json";
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
  explicit FolderReader(const std::string& folder) : folder_(folder) {
    if (has(kSettingsFile)) settings_ = read_json(used(kSettingsFile));
    if (!settings_.is_object()) settings_ = json::object();
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
      leave_out_added(json::array(), [&](const std::string& piece) {
        return tokenizer.piece(tokenizer.id(piece)) == piece;
      });
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
      keep_wordpiece(std::move(file), rows.lines, "told from the pieces");
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
  // As it stands in a message: what is larger than a word, by its kind.
  static std::string shown_value(const json& value) {
    return value.is_structured() ? value.type_name() : value.dump();
  }
  static std::string text_of(const json& content, const std::string& where) {
    if (!content.is_string())
      throw Error(where + ": content: found " + shown_value(content) + ", expected a text");
    return content.get<std::string>();
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
  static void expect_object(const json& value, const std::string& where) {
    if (!value.is_object())
      throw Error(where + ": found " + shown_value(value) + ", expected an object");
  }

  // A vocabulary alone does not say how words are found; other tokenizers than BERT's have a vocab.txt, too (KoBERT's
  // is SentencePiece's, Japanese BERT's words are MeCab's), with which every word would be unknown.
  void check_words_of_bert(const std::vector<std::string>& pieces) {
    static const std::set<std::string> kOfBert = {
        "Bert",   "ConvBert",   "DistilBert", "Electra",   "Funnel",     "LayoutLM",
        "Lxmert", "MobileBert", "PreTrained", "RetriBert", "SqueezeBert"};
    const auto setting = [&](const char* key, const json& usual) {
      const json found = settings_.value(key, json());
      return found.is_null() ? usual : found;
    };
    const json type = setting("tokenizer_class", "BertTokenizer");
    const std::string name = type.is_string() ? type.get<std::string>() : "";
    const auto refuse = [&](const std::string& key, const std::string& found,
                            const std::string& expected) {
      throw usage_error(path(kSettingsFile) + ": " + key + ": found " + found + ", expected " +
                        expected + ", or a " + kTokenizerFile);
    };
    if (!kOfBert.contains(name.substr(0, name.rfind("Tokenizer"))))
      refuse("tokenizer_class", type.dump(), "one that finds words as BertTokenizer does");
    if (setting("do_basic_tokenize", true) == false) refuse("do_basic_tokenize", "false", "true");
    if (const json words = setting("word_tokenizer_type", "basic"); words != "basic")
      refuse("word_tokenizer_type", words.dump(), "\"basic\"");
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
                            std::string("as ") + kTokenizerFile);
    }
    if (!is_tokenizer_json(bytes)) throw Error(path(kTokenizerFile) + ": not a tokenizer.json");
    out_.file = path(kTokenizerFile);
    const json file = parsed(bytes);
    const json model = file.value("model", json::object());
    expect_object(model, out_.file + ": model");
    if (const json vocabulary = model.value("vocab", json());
        vocabulary.is_object() && vocabulary.contains(kRobertaNames[kCls])) {
      check_byte_bpe_settings(bytes, out_.file);
      const json words = file.value("pre_tokenizer", json::object());
      leave_out_added(file.value("added_tokens", json::array()), is_roberta_name);
      return keep_roberta(vocabulary, model.value("merges", json::array()),
                          flag_of(words, "add_prefix_space", true, out_.file + ": pre_tokenizer"),
                          out_.file + ": model.merges");
    }
    keep(kTokenizerFile, to_tokenizer_json(read_tokenizer_json(bytes, path(kTokenizerFile))));
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
    leave_out_added(json::array(), is_roberta_name);
    keep_roberta(vocabulary, merges,
                 flag_of(settings_, "add_prefix_space", false, path(kSettingsFile)),
                 path(kMergesFile));
  }

  static bool is_roberta_name(const std::string& piece) {
    return std::ranges::find(kRobertaNames, piece) != kRobertaNames.end();
  }

  // Tells of the added pieces that are not `known` ones of the vocabulary.
  template <class Known>
  void leave_out_added(const json& tokens, Known known) {
    std::set<std::string> added;
    for (const json& token : tokens)
      if (token.is_object() && token.contains("content"))
        added.insert(text_of(token.at("content"), out_.file + ": added_tokens"));
    for (const auto& [id, content] : added_pieces()) added.insert(content);
    for (const std::string& piece : added)
      if (!known(piece)) out_.added_left_out.push_back(piece);
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

  // Settings that a class of transformers is made with stand before those of the tokenizer.json.
  bool set_treatment(BertTreatment* treatment) {
    ConfigReader reader(settings_, path(kSettingsFile));
    const auto given = [&](const char* key) {
      return settings_.contains(key) && !settings_.at(key).is_null();
    };
    if (given("tokenize_chinese_chars"))
      treatment->split_ideographs = reader.boolean("tokenize_chinese_chars");
    if (given("do_lower_case")) {
      treatment->lower_case = reader.boolean("do_lower_case");
      treatment->strip_accents = treatment->lower_case;
    }
    if (given("strip_accents")) treatment->strip_accents = reader.boolean("strip_accents");
    return given("do_lower_case") || given("strip_accents");
  }

  // Pieces beside the vocabulary, by id: where transformers keeps them, by version.
  std::map<int64_t, std::string> added_pieces() {
    std::map<int64_t, std::string> added;
    const auto add = [&](const std::string& content, const json& id, const std::string& where) {
      if (!id.is_number_integer()) throw Error(where + ": \"" + content + "\": expected an id");
      added[id.get<int64_t>()] = content;
    };
    if (has(kAddedFile)) {
      const json tokens = read_json(used(kAddedFile));
      expect_object(tokens, path(kAddedFile));
      for (const auto& [content, id] : tokens.items()) add(content, id, path(kAddedFile));
    }
    const json tokens = settings_.value("added_tokens_decoder", json());
    if (tokens.is_null()) return added;
    const std::string where = path(kSettingsFile) + ": added_tokens_decoder";
    expect_object(tokens, where);
    for (const auto& [id, token] : tokens.items())
      if (token.is_object() && token.contains("content"))
        add(text_of(token.at("content"), where + "." + id), json::parse(id, nullptr, false),
            path(kSettingsFile));
    return added;
  }

  // `next`: the row behind the vocabulary's.
  void add_pieces(int64_t next, WordPieceFile* file) {
    for (const auto& [id, content] : added_pieces()) {
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

  // `rows`: of the checkpoint's tables, without those of added pieces; out_.rows has which are whose.
  void keep_wordpiece(WordPieceFile file, int64_t rows, const std::string& otherwise) {
    const bool told = set_treatment(&file.treatment);
    add_pieces(rows, &file);
    // Batches are padded with the piece 0; RoBERTa's vocabularies have [CLS] there.
    const auto padding = std::ranges::find(file.pieces, kPadding);
    if (padding != file.pieces.end()) {
      const auto first = out_.rows.begin() + (padding - file.pieces.begin());
      std::rotate(out_.rows.begin(), first, first + 1);
      std::rotate(file.pieces.begin(), padding, padding + 1);
    }
    out_.treatment = std::string(file.treatment.lower_case ? "lower case" : "case kept") +
                     (file.treatment.strip_accents ? ", accents stripped" : ", accents kept") +
                     " (" + (told ? kSettingsFile : otherwise) + ")";
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
  json settings_;
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
