#include "export/ro_crate.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/text.h"

namespace minibert {
namespace {

using nlohmann::ordered_json;

constexpr char kMit[] = "https://spdx.org/licenses/MIT";

ordered_json reference(const std::string& id) { return {{"@id", id}}; }

// A path as part of a URI: what is none of RFC 3986's unreserved characters is escaped.
std::string as_uri(const std::string& path) {
  std::string out;
  for (const unsigned char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string("-._~/").find(static_cast<char>(c)) != std::string::npos;
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned>(c));
    out += plain ? std::string(1, static_cast<char>(c)) : escaped;
  }
  return out;
}

ordered_json entity_of(const CrateFile& file) {
  return {{"@id", as_uri(file.path)},
          {"@type", "File"},
          {"name", file.name},
          {"encodingFormat", file.type},
          {"contentSize", std::to_string(file.bytes)},
          {"sha256", file.sha256}};
}

std::string text_at(const nlohmann::json& json, const std::string& key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// Of a data set: its id and its files' sums, since all files of one's own are the set "own".
std::string key_of(const nlohmann::json& data) {
  std::string key = text_at(data, "id");
  if (data.is_object() && data.contains("files"))
    for (const nlohmann::json& file : data["files"]) key += "\n" + text_at(file, "sha256");
  return key;
}

std::string version_of(const RunRecord& record) {
  const auto libraries = record.environment.is_object() ? record.environment.find("libraries")
                                                        : record.environment.end();
  return libraries != record.environment.end() ? text_at(*libraries, "minibert") : "";
}

// Entities that several runs share, each once, under "#kind-number".
class Shared {
 public:
  Shared(std::string kind, ordered_json* graph) : kind_(std::move(kind)), graph_(graph) {}

  template <class Make>
  std::string id_of(const std::string& key, const Make& make) {
    const auto [found, is_new] =
        ids_.try_emplace(key, "#" + kind_ + "-" + std::to_string(ids_.size() + 1));
    if (is_new) graph_->push_back(make(found->second));
    return found->second;
  }

 private:
  std::string kind_;
  ordered_json* graph_;
  std::map<std::string, std::string> ids_;
};

ordered_json software(const std::string& id, const std::string& version) {
  ordered_json out = {{"@id", id}, {"@type", "SoftwareApplication"}, {"name", "minibert"}};
  if (!version.empty()) out["version"] = version;
  out["license"] = reference(kMit);
  return out;
}

ordered_json data_set(const std::string& id, const CrateRun& run) {
  const std::string name = text_at(run.record.data, "id"),
                    title = text_at(run.record.data, "title");
  ordered_json out = {{"@id", id}, {"@type", "Dataset"}, {"name", title.empty() ? name : title}};
  if (!name.empty()) out["identifier"] = name;
  if (const std::string licence = text_at(run.record.data, "licence"); !licence.empty())
    out["license"] = licence;
  if (!run.citation.empty()) out["citation"] = run.citation;
  return out;
}

// "2026-11-25", of the last run that began.
std::string published(const std::vector<CrateRun>& runs) {
  std::string last;
  for (const CrateRun& run : runs) last = std::max(last, run.record.started);
  return last.substr(0, last.find('T'));
}

std::string licence(const std::vector<CrateRun>& runs) {
  std::set<std::string> known;
  for (const CrateRun& run : runs)
    if (const std::string one = text_at(run.record.data, "licence"); !one.empty())
      known.insert(one);
  if (known.empty()) return "Unknown: no record tells the licence of its data.";
  return "The records are derived from data under " + joined({known.begin(), known.end()}) +
         "; each data set's entity names its own.";
}

}  // namespace

ordered_json ro_crate_metadata(const std::vector<CrateRun>& runs,
                               const std::vector<CrateFile>& others) {
  ordered_json graph = ordered_json::array(), parts = ordered_json::array(),
               actions = ordered_json::array(), rest = ordered_json::array();
  Shared programs("software", &rest), data("data", &rest);
  for (const CrateRun& run : runs) {
    const std::string path = as_uri(run.file.path), action = "#run-" + path;
    parts.push_back(reference(path));
    actions.push_back(reference(action));
    ordered_json file = entity_of(run.file);
    const std::string version = version_of(run.record);
    const std::string program =
        programs.id_of(version, [&](const std::string& id) { return software(id, version); });
    const std::string set = data.id_of(key_of(run.record.data),
                                       [&](const std::string& id) { return data_set(id, run); });
    ordered_json objects = {reference(set)};
    if (!run.experiment.empty()) objects.push_back(reference(as_uri(run.experiment)));
    rest.push_back(std::move(file));
    ordered_json act = {{"@id", action},         {"@type", "CreateAction"},
                        {"name", run.file.name}, {"instrument", reference(program)},
                        {"object", objects},     {"result", reference(path)}};
    if (!run.record.started.empty()) act["startTime"] = run.record.started;
    if (!run.record.finished.empty()) act["endTime"] = run.record.finished;
    rest.push_back(std::move(act));
  }
  for (const CrateFile& one : others) {
    parts.push_back(reference(as_uri(one.path)));
    rest.push_back(entity_of(one));
  }
  graph.push_back({{"@id", kCrateFile},
                   {"@type", "CreativeWork"},
                   {"conformsTo", reference("https://w3id.org/ro/crate/1.1")},
                   {"about", reference("./")}});
  graph.push_back(
      {{"@id", "./"},
       {"@type", "Dataset"},
       {"name", "Runs of minibert"},
       {"description", std::to_string(runs.size()) +
                           " training runs, each a record (HDF5) with its configuration, "
                           "metrics, predictions and weights"},
       {"datePublished", published(runs)},
       {"license", licence(runs)},
       {"hasPart", parts},
       {"mentions", actions}});
  graph.push_back({{"@id", kMit}, {"@type", "CreativeWork"}, {"name", "MIT licence"}});
  for (ordered_json& one : rest) graph.push_back(std::move(one));
  return {{"@context",
           {"https://w3id.org/ro/crate/1.1/context", {{"sha256", "https://schema.org/sha256"}}}},
          {"@graph", graph}};
}

}  // namespace minibert
