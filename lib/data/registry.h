// The data sets of experiments/datasets.json: where their files are, whether they are the right
// ones, and which set an experiment uses.
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
  uint64_t bytes = 0;  // 0 with an empty sha256: not pinned, any file counts
  std::string sha256;
  // The repository also has it, as data/<folder>/<name>.zst beside the registry's file; it is used
  // if the data directory lacks the file.
  bool packed = false;
  // The file's name in the data set's archive, from which a download takes it. Empty: the file has
  // its own address.
  std::string member = {};
};

// A publisher's ZIP archive with a data set's files. It is downloaded for them and not kept.
struct DataArchive {
  std::string url;
  uint64_t bytes = 0;
  std::string sha256;
};

// Divides split `from`'s articles (or rows) by the hash of their title (or text), in percent.
struct ArticleSplit {
  std::string from;  // train | dev | all
  int train = 0, dev = 0, test = 0;
};

struct DataSet {
  std::string id, title, folder, licence, citation, note;
  bool in_repository = false;  // beside the registry's file, not in the data directory
  // True if each file has a download address.
  bool has_address() const;
  // True if others can get each file: from its address or with the repository.
  bool is_public() const;
  std::vector<DataFile> files;
  std::optional<DataArchive> archive;    // of the files with a `member`
  std::optional<ArticleSplit> articles;  // for questions
  std::optional<ArticleSplit> rows;      // for labelled texts and tagged sentences, by text
  std::optional<TableLayout> table;      // how rows make examples
};

enum class Presence { complete, missing, corrupt };

struct FileState {
  Presence presence = Presence::missing;
  std::string path;     // of the packed file if that is used: read it with text/byte_source.h
  std::string problem;  // one line, when corrupt
  uint64_t bytes = 0;
  std::string sha256;  // of the file, if it was read
};

// A data set with every file in place and right.
struct ResolvedData {
  DataSet set;
  std::vector<FileState> files;  // same index as set.files
  std::string choice;            // one line: the choice, and why preferred sets were not taken
  // Files that an experiment names, read by its layout; null for a data set of the registry.
  std::shared_ptr<const FileSource> source = nullptr;
};

class Registry {
 public:
  // `named`: the file, for shipped_path(). Throws a usage Error naming file and key.
  static Registry load(const std::string& named = "experiments/datasets.json");

  std::vector<std::string> ids() const;
  // Throws a usage Error with the known ids and the nearest.
  const DataSet& at(const std::string& id) const;

  std::string path_of(const DataSet& set, const DataFile& file, const std::string& data_dir) const;
  // True if path_of() exists or the repository has the file packed. Reads nothing.
  bool is_there(const DataSet& set, const DataFile& file, const std::string& data_dir) const;
  // Compares size and SHA-256; for a packed file, those of its contents.
  FileState check(const DataSet& set, const DataFile& file, const std::string& data_dir) const;

 private:
  std::string packed_path(const DataSet& set, const DataFile& file) const;
  FileState check_packed(const DataSet& set, const DataFile& file) const;

  std::string folder_;  // the folder of the registry's file
  std::vector<DataSet> sets_;
};

// Returns a function that tells if others can get the files of a data set, by its id: true for an
// id that the registry lacks, as that of one's own files. It reads the registry at its first call.
std::function<bool(const std::string& id)> registered_public(
    const std::string& registry = "experiments/datasets.json");

// Returns "unverified: a, b" for the files without a registered SHA-256; "" if there are none, or
// if the set is in the repository, which has its own sums.
std::string unverified_note(const DataSet& set);

// Returns `flag`; if empty, $MINIBERT_DATA; if that is unset, "data".
std::string data_directory(const std::string& flag = "");

// Downloads the missing files of a data set. Returns the reason if it could not, else "".
using Fetcher = std::function<std::string(const DataSet&, const std::string& data_dir)>;

// Returns the first complete data set of `ids`, giving each missing one to `fetcher` first, if
// there is one. Throws Error if a file is there but wrong, and if no set is complete.
ResolvedData choose(const Registry& registry, const std::vector<std::string>& ids,
                    const std::string& data_dir, const Fetcher& fetcher = nullptr);

// Writes the part of a record: {"id", "title", "licence", "choice", "files": [{"name", "split",
// "bytes", "sha256"}], "splits": {split: {"examples": n}}}, and for files that an experiment names
// "own" with their keys.
nlohmann::json to_json(const ResolvedData& data, const std::map<std::string, size_t>& examples);

}  // namespace minibert
