#include "data/own/resolve_own.h"

#include <filesystem>

#include "core/sha256.h"
#include "core/text.h"
#include "data/corpus.h"
#include "data/own/label_cells.h"

namespace minibert {
namespace {

constexpr char kOwn[] = "own";

}  // namespace

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

ResolvedData resolve_own(const OwnSource& source) {
  ResolvedData data;
  data.own = std::make_shared<const OwnSource>(source);
  data.set.id = kOwn;
  add_files(source.train, kOwn, "train", &data);
  add_files(source.dev, kOwn, "dev", &data);
  add_files(source.test, kOwn, "test", &data);
  std::vector<std::string> paths = source.train;
  for (const auto* more : {&source.dev, &source.test})
    paths.insert(paths.end(), more->begin(), more->end());
  data.set.title = joined(paths);
  data.choice = "data: " + data.set.title;
  TableLayout layout;
  layout.text = source.columns.text;
  layout.pair = source.columns.pair;
  layout.choices = source.columns.choices;
  layout.label = source.columns.label;
  // What leaves rows out or stands for any number is no label.
  for (const auto& [written, name] : source.labels)
    if (!name.empty() && !is_way_of_numbers(written, name))
      layout.labels.push_back({written, name});
  data.set.table = std::move(layout);
  return data;
}

}  // namespace minibert
