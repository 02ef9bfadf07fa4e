#include "data/splits/clusters.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "data/splits/example_kind.h"
#include "data/splits/question_data.h"

namespace minibert {
namespace {

template <class Splits>
void add_clusters(const Splits& splits, ClusterOfExample* clusters) {
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    clusters->merge(clusters_of(*split));
}

// Lines of an example's id, a tab and its cluster; who is not listed stands alone.
ClusterOfExample read_list(const std::string& path) {
  ClusterOfExample clusters;
  std::istringstream lines(read_file(path));
  size_t number = 0;
  for (std::string line; next_line(lines, &line);) {
    ++number;
    const size_t tab = line.find('\t');
    if (tab == std::string::npos || tab == 0 || tab + 1 == line.size())
      throw Error(path + ":" + std::to_string(number) + ": found \"" + line +
                  "\", expected an example's id, a tab and its cluster");
    clusters[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return clusters;
}

}  // namespace

std::vector<std::string> clusters_in_order(std::span<const LabelledExample> examples) {
  std::vector<std::string> clusters;
  std::unordered_map<std::string_view, std::string_view> first_with;
  for (const LabelledExample& example : examples)
    clusters.emplace_back(first_with.try_emplace(example.text, example.id).first->second);
  return clusters;
}

ClusterOfExample clusters_of(const KorquadSet& questions) {
  ClusterOfExample clusters;
  for (const KorquadParagraph& paragraph : questions.paragraphs)
    for (const KorquadQuestion& question : paragraph.questions)
      clusters[question.id] = cluster_of(paragraph);
  return clusters;
}

ClusterOfExample clusters_of(std::span<const LabelledExample> examples) {
  ClusterOfExample clusters;
  const std::vector<std::string> in_order = clusters_in_order(examples);
  for (size_t i = 0; i < examples.size(); ++i) clusters[examples[i].id] = in_order[i];
  return clusters;
}

ClusterOfExample clusters_of(const ResolvedData& data) {
  ClusterOfExample clusters;
  for (const ExampleKind kind : example_kinds(data)) {
    switch (kind) {
      case ExampleKind::questions:
        add_clusters(load_korquad(data), &clusters);
        break;
      case ExampleKind::labelled:
        add_clusters(load_labelled(data), &clusters);
        break;
      case ExampleKind::tagged:
        break;
    }
  }
  return clusters;
}

std::function<ClusterOfExample(const std::string& data_id)> registered_clusters(
    const std::string& data_dir, const std::string& registry_file) {
  return [data_dir, registry_file,
          known = std::map<std::string, ClusterOfExample>()](const std::string& id) mutable {
    const auto found = known.find(id);
    if (found != known.end()) return found->second;
    const auto list = std::filesystem::path(shipped_path(registry_file)).parent_path() /
                      "clusters" / (id + ".tsv");
    if (std::filesystem::exists(list)) return known[id] = read_list(list.string());
    const Registry registry = Registry::load(registry_file);
    const std::vector<std::string> ids = registry.ids();
    if (std::ranges::count(ids, id) == 0) return ClusterOfExample();
    const DataSet& set = registry.at(id);
    const std::vector<ExampleKind> kinds = example_kinds(set);
    if (std::ranges::all_of(kinds, [](ExampleKind one) { return one == ExampleKind::tagged; }))
      return ClusterOfExample();
    return known[id] = clusters_of(choose(registry, {id}, data_directory(data_dir)));
  };
}

}  // namespace minibert
