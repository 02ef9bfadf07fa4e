// Reads the registry, checks files, and picks a data set.
#include "data/registry.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "text/byte_source.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kRegistryVersion = 1;
constexpr int64_t kLargestDataFile = int64_t{1} << 50;

// "name" or "folder/name", nothing that leads elsewhere.
bool is_plain_path(const std::string& name) {
  const fs::path path(name);
  return path.has_filename() && path.is_relative() && path == path.lexically_normal() &&
         std::ranges::find(path, fs::path("..")) == path.end();
}

void check_sha256(const ConfigReader& reader, const std::string& sum) {
  constexpr size_t kDigits = 64;
  if (sum.size() != kDigits)
    reader.fail("sha256", "found " + std::to_string(sum.size()) +
                              " characters, expected 64 hexadecimal digits");
}

DataFile read_file_entry(ConfigReader& reader) {
  DataFile file;
  file.name = reader.string("name");
  file.kind =
      reader.choice("kind", {"korquad", "text", "blanks", "table", "tags", "dump", "vocabulary"});
  file.split = reader.choice("split", {"train", "dev", "test", "all"});
  file.url = reader.string("url", "");
  file.bytes = static_cast<uint64_t>(reader.integer("bytes", 0, kLargestDataFile, 0));
  file.sha256 = reader.string("sha256", "");
  file.packed = reader.boolean("packed", false);
  file.member = reader.string("member", "");
  if (!file.member.empty() && !file.url.empty())
    reader.fail("member", "found beside a \"url\", expected it only for a file of the archive");
  if (file.packed && file.sha256.empty())
    reader.fail("sha256", "is missing, expected the checksum of what the packed file unpacks to");
  if (!is_plain_path(file.name))
    reader.fail("name", "found \"" + file.name + "\", expected a file's name or folder/name");
  if (!file.sha256.empty()) check_sha256(reader, file.sha256);
  reader.finish();
  return file;
}

DataArchive read_archive(ConfigReader reader) {
  DataArchive archive;
  archive.url = reader.string("url");
  archive.bytes = static_cast<uint64_t>(reader.integer("bytes", 1, kLargestDataFile));
  archive.sha256 = reader.string("sha256");
  check_sha256(reader, archive.sha256);
  reader.finish();
  return archive;
}

ArticleSplit read_parts(ConfigReader reader) {
  ArticleSplit split;
  split.from = reader.choice("from", {"train", "dev", "all"});
  split.train = static_cast<int>(reader.integer("train", 1, 100));
  split.dev = static_cast<int>(reader.integer("dev", 0, 99, 0));
  split.test = static_cast<int>(reader.integer("test", 0, 99, 0));
  if (split.train + split.dev + split.test != 100)
    reader.fail("train", "the parts make " + std::to_string(split.train + split.dev + split.test) +
                             " percent, expected 100");
  reader.finish();
  return split;
}

TableLayout read_layout(ConfigReader reader) {
  TableLayout layout;
  layout.separator = reader.choice("separator", {"tab", "comma"}, "tab");
  layout.header = reader.strings("header");
  layout.text = reader.strings("text");
  if (layout.text.empty()) reader.fail("text", "expected a list of columns");
  layout.pair = reader.string("pair", "");
  layout.choices = reader.strings("choices");
  layout.label = reader.string("label");
  layout.skip_empty = reader.boolean("skip_empty", false);
  for (ConfigReader& label : reader.objects("labels")) {
    layout.labels.push_back({label.string("written"), label.string("name")});
    label.finish();
  }
  reader.finish();
  return layout;
}

DataSet read_set(ConfigReader& reader) {
  DataSet set;
  set.id = reader.string("id");
  set.title = reader.string("title");
  set.folder = reader.string("folder");
  set.licence = reader.string("licence");
  set.citation = reader.string("citation");
  set.note = reader.string("note", "");
  set.in_repository = reader.boolean("in_repository", false);
  for (ConfigReader& file : reader.objects("files")) set.files.push_back(read_file_entry(file));
  if (set.files.empty()) reader.fail("files", "found none, expected at least one");
  if (reader.has("archive")) set.archive = read_archive(reader.object("archive"));
  const bool members =
      std::ranges::any_of(set.files, [](const DataFile& f) { return !f.member.empty(); });
  if (members != set.archive.has_value())
    reader.fail("archive", members ? "is missing, expected the archive that has the files' members"
                                   : "found one, but no file is a \"member\" of it");
  if (reader.has("articles")) set.articles = read_parts(reader.object("articles"));
  if (reader.has("rows")) set.rows = read_parts(reader.object("rows"));
  if (reader.has("table")) set.table = read_layout(reader.object("table"));
  reader.finish();
  return set;
}

}  // namespace

Registry Registry::load(const std::string& named) {
  const std::string path = shipped_path(named);
  if (!fs::exists(path))
    throw usage_error(path + ": is missing, expected minibert's folder as the current one");
  const nlohmann::json json = read_json(path);
  ConfigReader reader(json, path);
  reader.integer("version", kRegistryVersion, kRegistryVersion);
  Registry registry;
  const fs::path parent = fs::path(path).parent_path();
  registry.folder_ = parent.empty() ? "." : parent.string();
  for (ConfigReader& set : reader.objects("datasets")) {
    registry.sets_.push_back(read_set(set));
    if (std::ranges::count(registry.sets_, registry.sets_.back().id, &DataSet::id) > 1)
      set.fail("id", "found \"" + registry.sets_.back().id + "\" twice, expected different ids");
  }
  reader.finish();
  return registry;
}

std::vector<std::string> Registry::ids() const {
  std::vector<std::string> out;
  for (const DataSet& set : sets_) out.push_back(set.id);
  return out;
}

const DataSet& Registry::at(const std::string& id) const {
  const auto found = std::ranges::find(sets_, id, &DataSet::id);
  if (found != sets_.end()) return *found;
  throw usage_error("unknown data set \"" + id + "\", expected one of: " + joined(ids()) +
                    did_you_mean(id, ids(), "; ", ""));
}

std::string Registry::path_of(const DataSet& set, const DataFile& file,
                              const std::string& data_dir) const {
  return (fs::path(set.in_repository ? folder_ : data_dir) / set.folder / file.name).string();
}

std::string Registry::packed_path(const DataSet& set, const DataFile& file) const {
  return (fs::path(folder_) / "data" / set.folder / (file.name + ".zst")).string();
}

bool Registry::is_there(const DataSet& set, const DataFile& file,
                        const std::string& data_dir) const {
  std::error_code error;
  return fs::exists(path_of(set, file, data_dir), error) ||
         (file.packed && fs::exists(packed_path(set, file), error));
}

FileState Registry::check_packed(const DataSet& set, const DataFile& file) const {
  FileState state;
  state.path = packed_path(set, file);
  std::error_code error;
  if (!fs::exists(state.path, error)) return state;
  const std::string bytes = read_unpacked(state.path, file.bytes);
  state.bytes = bytes.size();
  state.sha256 = sha256_hex(bytes);
  state.presence = Presence::complete;
  if (state.sha256 != file.sha256) {
    state.presence = Presence::corrupt;
    state.problem = state.path + ": found SHA-256 (unpacked) " + state.sha256 + ", expected " +
                    file.sha256 + "; it is part of the repository: restore it";
  }
  return state;
}

FileState Registry::check(const DataSet& set, const DataFile& file,
                          const std::string& data_dir) const {
  FileState state;
  state.path = path_of(set, file, data_dir);
  std::error_code error;
  if (!fs::exists(state.path, error)) {
    if (!file.packed) return state;
    const FileState packed = check_packed(set, file);
    return packed.presence == Presence::missing ? state : packed;
  }
  if (!fs::is_regular_file(state.path, error)) {
    state.presence = Presence::corrupt;
    state.problem = state.path + ": is not a file";
    return state;
  }
  state.bytes = fs::file_size(state.path, error);
  if (!file.sha256.empty() && state.bytes != file.bytes) {
    state.presence = Presence::corrupt;
    state.problem = state.path + ": found " + std::to_string(state.bytes) + " bytes, expected " +
                    std::to_string(file.bytes) + "; remove it and fetch it again";
    return state;
  }
  state.sha256 = sha256_file(state.path);
  state.presence = Presence::complete;
  if (!file.sha256.empty() && state.sha256 != file.sha256) {
    state.presence = Presence::corrupt;
    state.problem = state.path + ": found SHA-256 " + state.sha256 + ", expected " + file.sha256 +
                    "; remove it and fetch it again";
  }
  return state;
}

bool DataSet::has_address() const {
  return std::ranges::none_of(
      files, [](const DataFile& file) { return file.url.empty() && file.member.empty(); });
}

bool DataSet::is_public() const {
  return in_repository || std::ranges::all_of(files, [](const DataFile& file) {
           return file.packed || !file.url.empty() || !file.member.empty();
         });
}

std::function<bool(const std::string& id)> registered_public(const std::string& named) {
  return [named, registry = std::optional<Registry>()](const std::string& id) mutable {
    if (!registry) registry = Registry::load(named);
    const std::vector<std::string> ids = registry->ids();
    return std::ranges::count(ids, id) == 0 || registry->at(id).is_public();
  };
}

std::string unverified_note(const DataSet& set) {
  if (set.in_repository) return "";
  std::vector<std::string> names;
  for (const DataFile& file : set.files)
    if (file.sha256.empty())
      names.push_back(file.name + (file.member.empty()
                                       ? ""
                                       : " (a download's archive is compared with its SHA-256)"));
  return names.empty() ? "" : "unverified: " + joined(names);
}

std::string data_directory(const std::string& flag) {
  if (!flag.empty()) return flag;
  const char* variable = std::getenv("MINIBERT_DATA");
  return variable != nullptr && *variable != '\0' ? variable : "data";
}

ResolvedData choose(const Registry& registry, const std::vector<std::string>& ids,
                    const std::string& data_dir, const Fetcher& fetcher) {
  if (ids.empty()) throw usage_error("data: found no data set id, expected at least one");
  // Names go into the record; where the files were looked for only into the error.
  std::vector<std::string> passed_over, looked_for;
  for (const std::string& id : ids) {
    ResolvedData data;
    data.set = registry.at(id);
    std::vector<std::string> missing, paths;
    const auto check_all = [&] {
      data.files.clear();
      missing.clear();
      paths.clear();
      for (const DataFile& file : data.set.files) {
        data.files.push_back(registry.check(data.set, file, data_dir));
        const FileState& state = data.files.back();
        if (state.presence == Presence::corrupt) throw Error(state.problem);
        if (state.presence != Presence::missing) continue;
        missing.push_back(file.name);
        paths.push_back(state.path);
      }
    };
    check_all();
    std::string why;
    if (!missing.empty() && fetcher) {
      why = fetcher(data.set, data_dir);
      check_all();
    }
    if (missing.empty()) {
      data.choice = "data: " + id;
      if (!passed_over.empty()) data.choice += " (" + joined(passed_over, "; ") + ")";
      return data;
    }
    const std::string reason = " not found" + (why.empty() ? "" : ", " + why);
    passed_over.push_back(id + ": " + joined(missing) + reason);
    looked_for.push_back(id + ": " + joined(paths) + reason);
  }
  throw Error("no data: " + joined(looked_for, "; "));
}

nlohmann::json to_json(const ResolvedData& data, const std::map<std::string, size_t>& examples) {
  nlohmann::json out = {{"id", data.set.id},
                        {"title", data.set.title},
                        {"licence", data.set.licence},
                        {"choice", data.choice},
                        {"files", nlohmann::json::array()},
                        {"splits", nlohmann::json::object()}};
  for (size_t i = 0; i < data.files.size(); ++i)
    out["files"].push_back({{"name", data.set.files[i].name},
                            {"split", data.set.files[i].split},
                            {"bytes", data.files[i].bytes},
                            {"sha256", data.files[i].sha256}});
  if (data.source) out["own"] = to_json(*data.source);
  for (const auto& [split, count] : examples) out["splits"][split] = {{"examples", count}};
  return out;
}

}  // namespace minibert
