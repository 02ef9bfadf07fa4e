#include "experiment/data_source.h"

#include "core/text.h"
#include "data/resolve_files.h"

namespace minibert {
namespace {

constexpr char kTextFiles[] = "files";

}  // namespace

DataSource read_data_source(ConfigReader& experiment) {
  DataSource source;
  if (experiment.has("data") && experiment.raw("data").is_object()) {
    ConfigReader named = experiment.object("data");
    if (named.has("train")) {
      source.labelled = read_file_source(named);
      return source;
    }
    source.train = named.strings("files");
    if (source.train.empty())
      named.fail("files", "expected a list of text files or folders (labelled files: \"train\")");
    source.dev = named.strings("dev");
    source.test = named.strings("test");
    named.finish();
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
  if (source.labelled) return to_json(*source.labelled);
  nlohmann::json json = {{"files", source.train}};
  if (!source.dev.empty()) json["dev"] = source.dev;
  if (!source.test.empty()) json["test"] = source.test;
  return json;
}

ResolvedData resolve(const DataSource& source, const Registry& registry,
                     const std::string& data_dir, const Fetcher& fetcher) {
  if (!source.ids.empty()) return choose(registry, source.ids, data_dir, fetcher);
  if (source.labelled) return resolve_files(*source.labelled);
  ResolvedData data;
  data.set.id = kTextFiles;
  data.set.title = joined(source.train);
  data.choice = "data: " + joined(source.train);
  add_files(source.train, "text", "train", &data);
  add_files(source.dev, "text", "dev", &data);
  add_files(source.test, "text", "test", &data);
  return data;
}

}  // namespace minibert
