// Which examples of a data set belong together, so that they are no independent evidence: questions of one
// article, and labelled texts that share their first text (the hypotheses of one premise, the questions of
// one paragraph, a review that was posted twice).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/questions/korquad.h"
#include "data/registry.h"
#include "data/splits/labelled_data.h"

namespace minibert {

// Each example's cluster: the id of the first with the same first text.
std::vector<std::string> clusters_in_order(std::span<const LabelledExample> examples);

// By example's id.
using ClusterOfExample = std::unordered_map<std::string, std::string>;
ClusterOfExample clusters_of(const KorquadSet& questions);
ClusterOfExample clusters_of(std::span<const LabelledExample> examples);

// The clusters of every split. Empty for data whose examples are not read by id (text, tags).
ClusterOfExample clusters_of(const ResolvedData& data);

// Asks for the clusters of a data set by its id in the registry, and remembers them: those of clusters/ID.tsv beside
// the registry, which has the test splits of shipped records whose data are not shipped (who is not listed stands
// alone), else of the data set's files. Empty for an id that the registry lacks, as that of files of one's own;
// throws Error where the files are missing or wrong.
std::function<ClusterOfExample(const std::string& data_id)> registered_clusters(
    const std::string& data_dir = "", const std::string& registry = "experiments/datasets.json");

}  // namespace minibert
