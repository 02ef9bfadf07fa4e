// Records are read by programs that know nothing of this one: h5py and h5dump.
#include <catch2/catch.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "record/run_record.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::sample_record;
using testing::Scratch;
using testing::write_bytes;

// Returns a shell command's output; fails the test if the command fails.
std::string output_of(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string out;
  char buffer[4096];
  while (const size_t size = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, size);
  INFO(command << "\n" << out);
  REQUIRE(pclose(pipe) == 0);
  return out;
}

constexpr char kScript[] = R"(
import h5py, json, sys
import numpy as np
f = h5py.File(sys.argv[1], "r")
text = lambda value: value.decode("utf-8") if isinstance(value, bytes) else value
out = {"attributes": {name: value if isinstance(value, str) else int(value)
                      for name, value in f.attrs.items()}}
out["config"] = json.loads(f["config"][()])
out["diff"] = text(f["diff"][()])
out["tokenizer"] = f["tokenizer/model"][()].tobytes().hex()
out["metrics"] = {split + "/" + name: [series["step"][()].tolist(), str(series["value"].dtype),
                                       series["value"][()].tolist()]
                  for split, names in f["metrics"].items() for name, series in names.items()
                  if name != "loss"}
out["summary"] = {name: float(value) for name, value in f["summary"].attrs.items()}
out["weights"] = {name: [str(w.dtype), list(w.shape), np.asarray(w).ravel().tolist()]
                  for name, w in f["weights"].items() if w.size}
out["selected_by"] = f["weights"].attrs["selected_by"]
p = f["predictions"]
for name in ["id", "gold", "prediction"]:
    out[name] = p[name].asstr()[()].tolist()
for name in ["score", "exact_match", "f1"]:
    out[name] = p[name][()].tolist()
out["filters"] = [f["tokenizer/model"].compression, f["tokenizer/model"].shuffle]
out["resume"] = sorted(f["resume/tensors/adam/classifier.bias"])
print(json.dumps(out))
)";

// Small data stands uncompressed in its header; this is not small.
RunRecord with_long_tokenizer() {
  RunRecord record = sample_record();
  record.tokenizer_model.append(10000, 'x');
  record.measured_on = "test";
  return record;
}

TEST_CASE("h5py reads everything a record holds") {
  const Scratch scratch;
  const RunRecord record = with_long_tokenizer();
  save_record(record, scratch / "a.h5");
  write_bytes(scratch / "read.py", kScript);
  const auto out = nlohmann::json::parse(
      output_of("/usr/bin/python3 " + scratch / "read.py" + " " + scratch / "a.h5"));
  CHECK(out["attributes"] == nlohmann::json({{"format", "minibert-run"},
                                             {"version", 1},
                                             {"status", "running"},
                                             {"experiment", "korquad_lstm_vs_bert"},
                                             {"arm", "bert"},
                                             {"seed", 7},
                                             {"profile", "quick"},
                                             {"started", "2026-11-20T22:31:05Z"},
                                             {"finished", ""},
                                             {"measured_on", "test"}}));
  CHECK(out["config"] == record.config);
  CHECK(out["diff"] == record.diff);
  CHECK_THAT(out["tokenizer"], Catch::StartsWith("0a00ff7febaaa8eb8db8"));
  CHECK(out["metrics"]["dev/f1"] == nlohmann::json({{20}, "float64", {41.5}}));
  CHECK(out["metrics"]["dev/never"][2].empty());
  CHECK(out["summary"] == nlohmann::json(record.summary));
  CHECK(out["weights"]["encoder.word_embedding.weight"][0] == "float32");
  CHECK(out["weights"]["encoder.word_embedding.weight"][1] == nlohmann::json({2, 3}));
  CHECK(out["weights"]["encoder.word_embedding.weight"][2].get<std::vector<float>>() ==
        record.weights[0].values);
  CHECK(out["weights"]["answer"] == nlohmann::json({"float32", nlohmann::json::array(), {42.0}}));
  CHECK(out["selected_by"] == "dev/f1");
  CHECK(out["id"] == record.predictions->id);
  for (const auto& [name, values] : record.predictions->texts) CHECK(out[name] == values);
  for (const auto& [name, values] : record.predictions->numbers) CHECK(out[name] == values);
  CHECK(out["filters"] == nlohmann::json({"gzip", true}));
  CHECK(out["resume"] == nlohmann::json({"m"}));
}

TEST_CASE("the lines of the documents that read a record with h5py do as they say") {
  const Scratch scratch;
  save_record(with_long_tokenizer(), scratch / "a.h5");
  const std::string document = read_file("results/README.md");
  const size_t begin = document.find("import h5py");
  REQUIRE(begin != std::string::npos);
  std::string lines = document.substr(begin, document.find("```", begin) - begin);
  const std::string name = "\"RECORD\"";
  REQUIRE(lines.find(name) != std::string::npos);
  lines.replace(lines.find(name), name.size(), "\"" + scratch / "a.h5" + "\"");
  write_bytes(scratch / "read.py", lines);
  CHECK(output_of("/usr/bin/python3 " + scratch / "read.py") ==
        "bert running test 41.5\n"
        "[9.5, 7.25, nan]\n"
        "['세종' '' '훈민정음(訓民正音)']\n"
        "{'answer': (), 'big': (0,), 'classifier.bias': (2,), 'encoder.word_embedding.weight': (2, "
        "3)}\n");
}

TEST_CASE("h5dump finds text of variable length in attributes alone, and portable filters") {
  const Scratch scratch;
  save_record(with_long_tokenizer(), scratch / "a.h5");
  const std::string all = output_of("h5dump " + scratch / "a.h5");
  for (const char* part : {"ATTRIBUTE \"status\"", "GROUP \"weights\"", "\"6548850-0-0\"",
                           "DATASET \"classifier.bias\"", "CSET H5T_CSET_UTF8"}) {
    INFO(part);
    CHECK(all.find(part) != std::string::npos);
  }
  const std::string datasets = output_of("h5dump -A 0 " + scratch / "a.h5");
  CHECK(datasets.find("DATASET \"classifier.bias\"") != std::string::npos);
  CHECK(datasets.find("H5T_VARIABLE") == std::string::npos);
  CHECK(datasets.find("H5T_VLEN") == std::string::npos);
  const std::string layout = output_of("h5dump -p -H -d /tokenizer/model " + scratch / "a.h5");
  CHECK(layout.find("COMPRESSION DEFLATE") != std::string::npos);
  CHECK(layout.find("PREPROCESSING SHUFFLE") != std::string::npos);
}

}  // namespace
}  // namespace minibert
