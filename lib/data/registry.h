// The data sets of experiments/datasets.json: where their files are, whether they are the right
// ones, and which of several an experiment gets.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/files/file_source.h"

namespace minibert {

struct DataFile {
  std::string name;    // in the data set's folder
  std::string kind;    // korquad | text | blanks | table | tags | dump | vocabulary
  std::string split;   // train | dev | test | all
  std::string url;     // empty: no public address
  uint64_t bytes = 0;  // 0 with an empty sha256: not pinned, whatever is there counts
  std::string sha256;
  // Address of the publisher's SHA-1 sums, lines of "HEX  NAME", that a download is compared with;
  // for files that are made anew. Empty: none.
  std::string checksums = {};
  // The repository has it too, as data/<folder>/<name>.zst beside the registry's file, for where
  // the data directory does not.
  bool packed = false;
  // What the file is called in the data set's archive, from which a download takes it. Empty: it is its own.
  std::string member = {};
};

// A ZIP file in which a publisher has a data set's files. It is fetched for them and not kept.
struct DataArchive {
  std::string url;
  uint64_t bytes = 0;
  std::string sha256;
};

// Articles (or rows) of the files of split `from` are shared out by the hash of their title (or text),
// in percent.
struct ArticleSplit {
  std::string from;  // train | dev | all
  int train = 0, dev = 0, test = 0;
};

struct DataSet {
  std::string id, title, folder, licence, citation, note;
  bool in_repository = false;  // beside the registry's file instead of in the data directory
  // Whether each file has an address to fetch it from.
  bool has_address() const;
  std::vector<DataFile> files;
  std::optional<DataArchive> archive;    // of the files that have a `member`
  std::optional<ArticleSplit> articles;  // of questions
  std::optional<ArticleSplit> rows;      // of labelled texts and tagged sentences, by text
  std::optional<TableLayout> table;      // how rows make examples
};

enum class Presence { complete, missing, corrupt };

struct FileState {
  Presence presence = Presence::missing;
  std::string path;     // of a packed file's own: to be read with text/byte_source.h
  std::string problem;  // one line, when corrupt
  uint64_t bytes = 0;
  std::string sha256;  // of the file, when it was read
};

// A data set whose every file is there and right.
struct ResolvedData {
  DataSet set;
  std::vector<FileState> files;  // same index as set.files
  std::string choice;            // one line: what was taken, and why not the ones preferred to it
  // Files that an experiment names, which the loaders read as it says; null for a data set of the registry.
  std::shared_ptr<const FileSource> source = nullptr;
};

class Registry {
 public:
  // `named`: the file, which shipped_path() finds. Throws a usage Error that names the file and the key.
  static Registry load(const std::string& named = "experiments/datasets.json");

  std::vector<std::string> ids() const;
  // Throws a usage Error with the known ids and the nearest.
  const DataSet& at(const std::string& id) const;

  std::string path_of(const DataSet& set, const DataFile& file, const std::string& data_dir) const;
  // Is there anything at path_of(), or packed in the repository? Nothing is read.
  bool is_there(const DataSet& set, const DataFile& file, const std::string& data_dir) const;
  // Compares size and SHA-256, of a packed file those of what it unpacks to. Sums once computed are
  // remembered in <data_dir>/.minibert-verified.json, by path, size and modification time, where
  // that can be written.
  FileState check(const DataSet& set, const DataFile& file, const std::string& data_dir) const;

 private:
  std::string packed_path(const DataSet& set, const DataFile& file) const;
  FileState check_packed(const DataSet& set, const DataFile& file) const;

  std::string folder_;  // of the registry's file
  std::vector<DataSet> sets_;
};

// "unverified: a, b" for the files that no SHA-256 is registered for; empty when there are none, and
// for what is in the repository, which has its own sums.
std::string unverified_note(const DataSet& set);

// `flag` unless empty, else $MINIBERT_DATA, else "data".
std::string data_directory(const std::string& flag = "");

// Downloads what is missing of a data set; returns why it could not, empty when it could.
using Fetcher = std::function<std::string(const DataSet&, const std::string& data_dir)>;

// The first of `ids` that is complete; each missing one is first given to `fetcher`, if there is
// one. Throws Error when a file is there but wrong, and when none is complete.
ResolvedData choose(const Registry& registry, const std::vector<std::string>& ids,
                    const std::string& data_dir, const Fetcher& fetcher = nullptr);

// For the record: {"id", "title", "licence", "choice", "files": [{"name", "split", "bytes",
// "sha256"}], "splits": {split: {"examples": n}}}, and of files that an experiment names "own": their keys.
nlohmann::json to_json(const ResolvedData& data, const std::map<std::string, size_t>& examples);

}  // namespace minibert
