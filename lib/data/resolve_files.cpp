#include "data/resolve_files.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/sha256.h"
#include "core/text.h"
#include "data/corpus.h"

namespace minibert {

void add_files(const std::vector<std::string>& paths, const std::string& kind,
               const std::string& split, ResolvedData* data) {
  for (const std::string& path : corpus_files(paths)) {
    DataFile file;
    file.name = path, file.kind = kind, file.split = split;
    FileState state;
    state.presence = Presence::complete;
    state.path = path;
    state.bytes = std::filesystem::file_size(path);
    state.sha256 = sha256_file(path);
    data->set.files.push_back(std::move(file));
    data->files.push_back(std::move(state));
  }
}

ResolvedData resolve_files(const FileSource& source) {
  constexpr char kId[] = "own";  // persisted in records
  ResolvedData data;
  data.source = std::make_shared<const FileSource>(source);
  data.set.id = kId;
  std::vector<std::string> all;
  for (const auto& [paths, split] :
       {std::pair(&source.train, "train"), std::pair(&source.dev, "dev"),
        std::pair(&source.test, "test")}) {
    for (const std::string& path : *paths)
      if (std::filesystem::is_directory(path))
        throw usage_error(path + ": is a folder, expected a file or a list of files");
    add_files(*paths, kId, split, &data);
    all.insert(all.end(), paths->begin(), paths->end());
  }
  data.set.title = joined(all);
  data.choice = "data: " + data.set.title;
  data.set.table = source.table;
  // An entry that leaves rows out is no label.
  std::erase_if(data.set.table->labels, [](const TableLabel& one) { return one.name.empty(); });
  return data;
}

}  // namespace minibert
