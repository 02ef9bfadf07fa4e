// minibert embed: a model's vectors for a text, for [CLS] and for a word.
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "core/error.h"
#include "task/stored_encoder.h"

namespace minibert {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kShown = 8;  // values of a vector in a line

struct EmbedArguments {
  std::string run, word;
  std::vector<std::string> texts;
  std::optional<int64_t> layer;
  bool json = false;
};

struct Embedded {
  std::string text;
  TextInput input;
  torch::Tensor hidden;  // [S, D]
  torch::Tensor pooled;  // [D], undefined without a pooler
  torch::Tensor word;    // [D], undefined where no word was asked for
};

// The mean over the pieces that hold the word's first occurrence, with a particle in them.
torch::Tensor vector_of(const std::string& word, const Embedded& embedded) {
  const size_t begin = embedded.text.find(word), end = begin + word.size();
  if (begin == std::string::npos)
    throw usage_error("--word: found no \"" + word + "\" in \"" + embedded.text + "\"");
  std::vector<int64_t> rows;
  for (size_t i = 0; i < embedded.input.pieces.size(); ++i) {
    const InputPiece& piece = embedded.input.pieces[i];
    if (piece.begin < end && piece.end > begin) rows.push_back(static_cast<int64_t>(i));
  }
  return embedded.hidden.index_select(0, torch::tensor(rows, torch::kInt64)).mean(0);
}

Embedded embed_one(const StoredEncoder& encoder, const EmbedArguments& arguments, size_t which) {
  Embedded out;
  out.text = arguments.texts[which];
  const std::string number = arguments.texts.size() > 1 ? " " + std::to_string(which + 1) : "";
  out.input = encoder.read(out.text, "TEXT" + number);
  out.hidden = encoder.hidden(out.input.ids, out.input.segments);
  out.pooled = encoder.pooled(out.hidden, out.input.ids);
  if (arguments.layer) {
    const auto states = encoder.trace(out.input.ids, out.input.segments).states;
    if (*arguments.layer >= static_cast<int64_t>(states.size()))
      throw usage_error("--layer: found " + std::to_string(*arguments.layer) +
                        ", expected a number from 0 to " + std::to_string(states.size() - 1));
    out.hidden = states[static_cast<size_t>(*arguments.layer)];
  }
  out.hidden = out.hidden.contiguous();
  if (!arguments.word.empty()) out.word = vector_of(arguments.word, out);
  return out;
}

double cosine(const torch::Tensor& a, const torch::Tensor& b) {
  return (a.dot(b) / (a.norm() * b.norm()).clamp_min(1e-12)).item<double>();
}

std::vector<float> values_of(const torch::Tensor& vector) {
  const torch::Tensor flat = vector.contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

std::string line_of(const torch::Tensor& vector) {
  std::string line;
  char number[16];
  for (int64_t i = 0; i < std::min(kShown, vector.size(0)); ++i) {
    std::snprintf(number, sizeof number, "%8.4f", vector[i].item<double>());
    line += number;
  }
  return line + (vector.size(0) > kShown ? " …" : "");
}

void print(const Embedded& one, const std::string& word) {
  std::cout << one.text << "\n";
  const auto line = [](const std::string& name, const torch::Tensor& vector) {
    std::cout << line_of(vector) << "  " << name << "\n";
  };
  for (size_t i = 0; i < one.input.pieces.size(); ++i)
    line(one.input.pieces[i].piece, one.hidden[static_cast<int64_t>(i)]);
  if (one.pooled.defined()) line("(pooled [CLS])", one.pooled);
  if (one.word.defined()) line("(" + word + ")", one.word);
}

Json to_json(const Embedded& one, const std::string& word) {
  Json told = {{"text", one.text}, {"pieces", Json::array()}, {"hidden", Json::array()}};
  for (size_t i = 0; i < one.input.pieces.size(); ++i) {
    const InputPiece& piece = one.input.pieces[i];
    told["pieces"].push_back(
        {{"id", piece.id}, {"piece", piece.piece}, {"begin", piece.begin}, {"end", piece.end}});
    told["hidden"].push_back(values_of(one.hidden[static_cast<int64_t>(i)]));
  }
  if (one.pooled.defined()) told["pooled"] = values_of(one.pooled);
  if (one.word.defined()) told["word"] = {{"text", word}, {"vector", values_of(one.word)}};
  return told;
}

void embed(const EmbedArguments& arguments) {
  if (arguments.texts.empty()) throw usage_error("TEXT: found none, expected at least one");
  if (arguments.texts.size() == 1)
    warn_of_file(arguments.texts.front(), "\"$(cat FILE)\" gives what is in it");
  const RunRecord record = load_record(arguments.run);
  const StoredEncoder encoder(record, arguments.run);
  std::vector<Embedded> all;
  for (size_t i = 0; i < arguments.texts.size(); ++i)
    all.push_back(embed_one(encoder, arguments, i));
  for (const Embedded& one : all)
    if (arguments.json)
      std::cout << to_json(one, arguments.word).dump() << "\n";
    else
      print(one, arguments.word);
  if (arguments.word.empty() || all.size() != 2) return;
  // How far the sentence changes the word.
  const double similarity = cosine(all[0].word, all[1].word);
  if (arguments.json)
    std::cout << Json{{"word", arguments.word}, {"cosine", similarity}}.dump() << "\n";
  else
    std::printf("%8.4f  cosine of %s in both\n", similarity, arguments.word.c_str());
}

}  // namespace

void add_embed(CLI::App& app) {
  auto arguments = std::make_shared<EmbedArguments>();
  CLI::App* command = app.add_subcommand(
      "embed",
      "the vectors of a text's pieces, of [CLS] and of a word, as a stored run makes them");
  add_record(*command, "--run", &arguments->run, "record with weights, of any task")->required();
  add_texts(*command, &arguments->texts, "texts; for two, also the cosine of --word in both");
  command->add_option("--word", arguments->word, "also print the vector of this word");
  command
      ->add_option("--layer", arguments->layer,
                   "output of layer N of a BERT, 0: its input (default: last)")
      ->check(CLI::Range(0, 1000000));
  command->add_flag("--json", arguments->json, "one JSON object a line");
  command->callback([arguments] { embed(*arguments); });
}

}  // namespace minibert
