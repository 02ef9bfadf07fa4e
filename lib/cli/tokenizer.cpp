// minibert tokenizer: train, encode, decode, show, merges; learn-bpe is in learn_bpe.cpp.
#include "text/tokenizer.h"

#include <cstdio>
#include <iostream>
#include <memory>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/excerpt.h"
#include "core/files.h"
#include "core/utf8.h"
#include "data/corpus.h"
#include "text/line_reader.h"
#include "text/merges.h"

namespace minibert {
namespace {

constexpr char kTextCache[] = "build/cache/text";  // of JSON lines and the like as plain text

struct TokenizerArguments {
  std::string model, out;
  std::vector<std::string> files;
  TokenizerSettings settings;
  bool shrink = false, ids = false, json = false;
  size_t count = 50;
};

// Calls use(line) for every line of the files, or of stdin without files.
template <class Use>
void for_each_text_line(const std::vector<std::string>& files, Use use) {
  std::string line;
  if (files.empty()) read_lines([&](const std::string& one, size_t) { use(one); });
  for (const std::string& file : files) {
    LineReader reader(file);
    while (reader.next(&line)) use(line);
  }
}

void train(const TokenizerArguments& arguments) {
  refuse_same_file("--out", arguments.out, "the text", arguments.files);
  refuse_record("--out", arguments.out);
  const std::string model =
      train_tokenizer(plain_text_files(corpus_files(arguments.files), kTextCache),
                      arguments.settings, arguments.shrink);
  write_file_atomically(arguments.out, model);
  std::cout << arguments.out << ": " << Tokenizer::from_bytes(model).size() << " pieces\n";
}

void encode(const TokenizerArguments& arguments) {
  const Tokenizer tokenizer = load_tokenizer(arguments.model);
  for_each_text_line(arguments.files, [&](const std::string& line) {
    if (first_invalid_utf8(line) != kValid)
      throw usage_error("found a line that is not valid UTF-8 (\"" + excerpt(line) +
                        "\"), expected UTF-8");
    if (arguments.json) {
      nlohmann::json pieces = nlohmann::json::array();
      for (const NamedPiece& piece : tokenizer.encode_named(line))
        pieces.push_back(
            {{"piece", piece.text}, {"id", piece.id}, {"begin", piece.begin}, {"end", piece.end}});
      std::cout << pieces.dump() << "\n";
      return;
    }
    std::string out;
    for (const NamedPiece& piece : tokenizer.encode_named(line))
      out += (out.empty() ? "" : " ") + (arguments.ids ? std::to_string(piece.id) : piece.text);
    std::cout << out << "\n";
  });
}

void decode(const TokenizerArguments& arguments) {
  const Tokenizer tokenizer = load_tokenizer(arguments.model);
  for_each_text_line(arguments.files, [&](const std::string& line) {
    std::vector<int32_t> ids;
    size_t at = 0;
    while ((at = line.find_first_not_of(" \t\r", at)) != std::string::npos) {
      const size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
      const std::string word = line.substr(at, end - at);
      if (word.find_first_not_of("0123456789") != std::string::npos || word.size() > 9)
        throw usage_error("found \"" + word + "\", expected piece ids");
      ids.push_back(std::stoi(word));
      at = end;
    }
    std::cout << tokenizer.decode(ids) << "\n";
  });
}

void show(const TokenizerArguments& arguments) {
  const Tokenizer tokenizer = load_tokenizer(arguments.model);
  nlohmann::json list = nlohmann::json::array();
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    const std::string& piece = tokenizer.readable(id);
    list.push_back({{"id", id}, {"piece", piece}, {"score", tokenizer.score(id)}});
    if (!arguments.json) std::printf("%6d  %s\n", id, piece.c_str());
  }
  if (arguments.json) std::cout << list.dump() << "\n";
}

void merges(const TokenizerArguments& arguments) {
  nlohmann::json list = nlohmann::json::array();
  for (const Merge& merge : first_merges(load_tokenizer(arguments.model), arguments.count)) {
    list.push_back({{"rank", merge.rank},
                    {"left", merge.left},
                    {"right", merge.right},
                    {"piece", merge.piece}});
    if (!arguments.json)
      std::printf("%6zu  %s + %s -> %s\n", merge.rank, merge.left.c_str(), merge.right.c_str(),
                  merge.piece.c_str());
  }
  if (arguments.json) std::cout << list.dump() << "\n";
}

}  // namespace

void add_tokenizer(CLI::App& app) {
  CLI::App* tokenizer = app.add_subcommand("tokenizer", "train and use a tokenizer");
  tokenizer->require_subcommand(1);
  const auto sub = [&](const char* name, const char* help, void (*run)(const TokenizerArguments&)) {
    auto arguments = std::make_shared<TokenizerArguments>();
    CLI::App* command = tokenizer->add_subcommand(name, help);
    command->callback([arguments, run] { run(*arguments); });
    return std::pair(command, arguments);
  };
  const auto with_model = [&](const char* name, const char* help,
                              void (*run)(const TokenizerArguments&)) {
    const auto [command, arguments] = sub(name, help, run);
    add_tokenizer_file(*command, "--model", &arguments->model);
    return std::pair(command, arguments);
  };

  const auto [training, settings] = sub("train", "train on text files, .zst and .gz too", train);
  training->add_option("files", settings->files, "text files")->required();
  training->add_option("--out", settings->out, "model file to write")->required();
  training
      ->add_option("--type", settings->settings.type, "bpe or unigram (SentencePiece), or byte_bpe")
      ->check(CLI::IsMember({"bpe", "unigram", "byte_bpe"}))
      ->capture_default_str();
  training->add_option("--vocab-size", settings->settings.vocab_size, "with 7 special pieces")
      ->check(CLI::Range(8, 65535))
      ->capture_default_str();
  training->add_flag("--byte-fallback", settings->settings.byte_fallback,
                     "unknown characters as bytes");
  training->add_flag("--shrink-to-fit", settings->shrink,
                     "fewer pieces where the text has no more, not an error");

  const auto [encoding, encode_arguments] =
      with_model("encode", "pieces of every line of files or stdin", encode);
  encoding->add_option("files", encode_arguments->files, "text files");
  encoding->add_flag("--ids", encode_arguments->ids, "ids instead of pieces");
  encoding->add_flag("--json", encode_arguments->json,
                     "per line a list of {piece, id, begin, end}, in bytes");
  const auto [decoding, decode_arguments] = with_model("decode", "text of lines of ids", decode);
  decoding->add_option("files", decode_arguments->files, "files of ids");
  const auto [showing, show_arguments] = with_model("show", "all pieces", show);
  showing->add_flag("--json", show_arguments->json, "as JSON");
  const auto [merging, merge_arguments] =
      with_model("merges", "the first merges with the pieces they join", merges);
  merging->add_option("--count", merge_arguments->count, "how many")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  merging->add_flag("--json", merge_arguments->json, "as JSON");
  add_learn_bpe(*tokenizer);
}

}  // namespace minibert
