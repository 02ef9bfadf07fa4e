#include "experiment/data_source.h"

#include "core/text.h"
#include "data/own/resolve_own.h"

namespace minibert {
namespace {

constexpr char kOwnFiles[] = "files";

}  // namespace

DataSource read_data_source(ConfigReader& experiment) {
  DataSource source;
  if (experiment.has("data") && experiment.raw("data").is_object()) {
    ConfigReader own = experiment.object("data");
    if (own.has("train")) {
      source.own = read_own_source(own);
      return source;
    }
    source.train = own.strings("files");
    if (source.train.empty())
      own.fail("files", "expected a list of text files or folders (labelled files: \"train\")");
    source.dev = own.strings("dev");
    source.test = own.strings("test");
    own.finish();
    return source;
  }
  source.ids = experiment.strings("data");
  if (source.ids.empty())
    experiment.fail(
        "data",
        "expected a list of data set ids, or labelled files {\"train\": FILE, \"test\": "
        "FILE}, or {\"files\": [text files], \"dev\": [text files]}");
  return source;
}

nlohmann::json to_json(const DataSource& source) {
  if (!source.ids.empty()) return source.ids;
  if (source.own) return to_json(*source.own);
  nlohmann::json json = {{"files", source.train}};
  if (!source.dev.empty()) json["dev"] = source.dev;
  if (!source.test.empty()) json["test"] = source.test;
  return json;
}

ResolvedData resolve(const DataSource& source, const Registry& registry,
                     const std::string& data_dir, const Fetcher& fetcher) {
  if (!source.ids.empty()) return choose(registry, source.ids, data_dir, fetcher);
  if (source.own) return resolve_own(*source.own);
  ResolvedData data;
  data.set.id = kOwnFiles;
  data.set.title = joined(source.train);
  data.choice = "data: " + joined(source.train);
  add_files(source.train, "text", "train", &data);
  add_files(source.dev, "text", "dev", &data);
  add_files(source.test, "text", "test", &data);
  return data;
}

}  // namespace minibert
