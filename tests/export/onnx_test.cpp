// `minibert export --format onnx` and `--format safetensors`: what they write, what they refuse. What an
// ONNX file computes, onnx.mjs checks.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/files.h"
#include "export/model_metadata.h"
#include "export/onnx_export.h"
#include "support/message.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

using testing::kShippedModel;
using testing::message_of;
using testing::run_program;
using testing::Scratch;

RunRecord shipped() { return load_record(kShippedModel); }

// Returns the refusal to export the shipped record after a change, behind the file's name.
template <class Change>
std::string refusal(Change change) {
  RunRecord record = shipped();
  change(record);
  const std::string message = message_of([&] { export_onnx(record, kShippedModel); });
  const std::string file = std::string(kShippedModel) + ": ";
  REQUIRE(message.substr(0, file.size()) == file);
  return message.substr(file.size());
}

NamedTensor& weight(RunRecord& record, const std::string& name) {
  for (NamedTensor& tensor : record.weights)
    if (tensor.name == name) return tensor;
  throw std::logic_error("no such weight: " + name);
}

}  // namespace

TEST_CASE("an ONNX file holds every weight once, under its name, and says where it is from") {
  const Scratch scratch;
  const std::string out = scratch / "new_folder/model.onnx";
  const auto result =
      run_program(std::string("export --format onnx --run ") + kShippedModel + " --out " + out);
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.out.empty());
  const std::string bytes = read_file(out);
  const RunRecord record = shipped();
  size_t size = 0;
  for (const NamedTensor& tensor : record.weights) {
    CAPTURE(tensor.name);
    const std::string values(reinterpret_cast<const char*>(tensor.values.data()),
                             tensor.values.size() * sizeof(float));
    const size_t found = bytes.find(values);
    REQUIRE(found != std::string::npos);
    CHECK(bytes.substr(found - 80, 80).find(tensor.name) != std::string::npos);
    size += values.size();
  }
  CHECK(bytes.size() < size + 100'000);
  for (const auto& [key, text] : model_metadata(record, kShippedModel)) {
    CAPTURE(key);
    CHECK(bytes.find(text) != std::string::npos);
  }
}

TEST_CASE("what is no BERT, or not the BERT that its configuration says, is not exported to ONNX") {
  for (const char* kind : {"lstm", "lstm_qa", "bag", "majority"})
    CHECK(refusal([&](RunRecord& r) {
            r.config["model"] = {{"kind", kind}};
          }) == "found a \"" + std::string(kind) + "\" model, expected a \"bert\"");
  CHECK(refusal([](RunRecord& r) { r.config.erase("model"); }) == "config has no \"model\"");
  CHECK(refusal([](RunRecord& r) { r.weights.clear(); }) == "the record has no weights");
  CHECK(refusal([](RunRecord& r) { weight(r, "mlm.bias").name = "mlm.biases"; }) ==
        "/weights/mlm.bias: is missing, expected by the model");
  CHECK(refusal([](RunRecord& r) {
          weight(r, "mlm.bias").shape = {1, 8007};
        }) == "/weights/mlm.bias: found shape [1,8007], expected [8007]");
  CHECK(refusal([](RunRecord& r) {
          r.weights.push_back({"another.head", {1}, {0}});
        }) == "/weights/another.head: expected no such weight of this model");
  CHECK_THAT(refusal([](RunRecord& r) { r.config["model"]["norm"] = "none"; }),
             Catch::Contains("norm") && Catch::Contains("\"none\""));
  CHECK_THAT(refusal([](RunRecord& r) { r.tokenizer_model.resize(100); }),
             Catch::Contains("tokenizer") || Catch::Contains("SentencePiece"));
}

TEST_CASE("a safetensors file has the record's weights bit for bit, and its configuration") {
  const Scratch scratch;
  const std::string out = scratch / "model.safetensors";
  const auto result = run_program(std::string("export --format safetensors --run ") +
                                  kShippedModel + " --out " + out);
  INFO(result.err);
  REQUIRE(result.status == 0);
  const ShellResult read = shell("/usr/bin/python3 tests/export/read_safetensors.py " + out);
  INFO(read.output);
  REQUIRE(read.status == 0);
  const auto facts = nlohmann::json::parse(read.output);
  const RunRecord record = shipped();
  CHECK(facts["weights_sha256"] == weights_sha256(record.weights));
  CHECK(facts["metadata"]["format"] == "pt");
  for (const auto& [key, text] : model_metadata(record, kShippedModel))
    CHECK(facts["metadata"][key] == text);
  CHECK(nlohmann::json::parse(facts["metadata"]["model"].get<std::string>()) ==
        record.config["model"]);
}

TEST_CASE("options of a .mbq file are refused with another format") {
  const Scratch scratch;
  for (const char* option : {"--float", "--no-check", "--text README.md", "--limit 3", "--json"}) {
    const auto result = run_program(std::string("export --format onnx --run ") + kShippedModel +
                                    " --out " + (scratch / "a.onnx") + " " + option);
    CHECK(result.status == 2);
    const std::string name = std::string(option).substr(0, std::string(option).find(' '));
    CHECK(result.err == "minibert: " + (name == "--no-check" ? "--check" : name) +
                            ": found with --format onnx, expected with mbq alone\n");
    CHECK_FALSE(std::filesystem::exists(scratch / "a.onnx"));
  }
}

}  // namespace minibert
