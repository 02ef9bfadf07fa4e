// minibert attention: how strongly each piece of a text attends to each, as on the page.
#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "compare/table.h"
#include "core/error.h"
#include "task/stored_encoder.h"

namespace minibert {
namespace {

struct AttentionArguments {
  std::string run, text;
  int64_t layer = 0, head = 0;  // counted from 1; 0: the last layer, the heads' average
  bool json = false;
};

void check_range(const char* flag, int64_t found, size_t most) {
  if (found > static_cast<int64_t>(most))
    throw usage_error(std::string(flag) + ": found " + std::to_string(found) +
                      ", expected a number from 1 to " + std::to_string(most));
}

// [S, S] of the layer and head that were asked for.
torch::Tensor chosen(const AttentionArguments& arguments, const EncoderTrace& trace) {
  const size_t layers = trace.attention.size();
  check_range("--layer", arguments.layer, layers);
  const size_t layer = arguments.layer == 0 ? layers : static_cast<size_t>(arguments.layer);
  const torch::Tensor& all_HSS = trace.attention[layer - 1];
  if (!all_HSS.defined())
    throw usage_error("--layer: found " + std::to_string(layer) +
                      ", which mixes neighbours by convolution and has no attention");
  check_range("--head", arguments.head, static_cast<size_t>(all_HSS.size(0)));
  return (arguments.head == 0 ? all_HSS.mean(0) : all_HSS[arguments.head - 1]).contiguous();
}

void attention(const AttentionArguments& arguments) {
  const RunRecord record = load_record(arguments.run);
  const StoredEncoder encoder(record, arguments.run);
  const TextInput input = encoder.read(arguments.text, "TEXT");
  const EncoderTrace trace = encoder.trace(input.ids, input.segments);
  const torch::Tensor share_SS = chosen(arguments, trace);
  const size_t size = input.pieces.size();
  const auto share = [&](size_t from, size_t to) {
    return share_SS.data_ptr<float>()[from * size + to];
  };
  if (arguments.json) {
    nlohmann::ordered_json told = {{"text", arguments.text},
                                   {"pieces", nlohmann::ordered_json::array()}};
    for (const InputPiece& piece : input.pieces) told["pieces"].push_back(piece.piece);
    told["layer"] =
        arguments.layer == 0 ? static_cast<int64_t>(trace.attention.size()) : arguments.layer;
    if (arguments.head == 0)
      told["head"] = "average";
    else
      told["head"] = arguments.head;
    for (size_t from = 0; from < size; ++from) {
      nlohmann::ordered_json row = nlohmann::ordered_json::array();
      for (size_t to = 0; to < size; ++to) row.push_back(share(from, to));
      told["attention"].push_back(std::move(row));
    }
    std::cout << told.dump() << "\n";
    return;
  }
  Table table;
  table.columns = {{"from \\ to, %", false}};
  for (const InputPiece& piece : input.pieces) table.columns.push_back({piece.piece});
  for (size_t from = 0; from < size; ++from) {
    table.rows.push_back({input.pieces[from].piece});
    for (size_t to = 0; to < size; ++to)
      table.rows.back().push_back(fixed(100.0 * static_cast<double>(share(from, to)), 1));
  }
  std::cout << plain_table(table);
}

}  // namespace

void add_attention(CLI::App& app) {
  auto arguments = std::make_shared<AttentionArguments>();
  CLI::App* command =
      app.add_subcommand("attention", "how much each piece of a text attends to each, in percent");
  add_record(*command, "--run", &arguments->run, "record of a BERT with weights, of any task")
      ->required();
  command->add_option("TEXT", arguments->text, "a text")->required();
  command->add_option("--layer", arguments->layer, "counted from 1 (else the last)")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--head", arguments->head, "counted from 1 (else the average of all)")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] { attention(*arguments); });
}

}  // namespace minibert
