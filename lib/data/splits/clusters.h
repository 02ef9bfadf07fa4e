// Finds examples of a data set that belong together and are no independent evidence: questions of
// one article, and labelled texts with one first text (hypotheses of one premise, questions of one
// paragraph, a review that was posted twice).
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

// Returns each example's cluster: the id of the first example with the same first text.
std::vector<std::string> clusters_in_order(std::span<const LabelledExample> examples);

using ClusterOfExample = std::unordered_map<std::string, std::string>;
ClusterOfExample clusters_of(const KorquadSet& questions);
ClusterOfExample clusters_of(std::span<const LabelledExample> examples);

// Returns the clusters of every split; empty for data whose examples have no ids (text, tags).
ClusterOfExample clusters_of(const ResolvedData& data);

// Returns a function that finds the clusters of a data set by its registry id and remembers them.
// They come from clusters/ID.tsv beside the registry, which has the test splits of shipped records
// whose data is not shipped (an unlisted example stands alone), else from the data set's files. The
// function returns no clusters for an id that the registry lacks, such as a user's files, and
// throws Error if files are missing or wrong.
std::function<ClusterOfExample(const std::string& data_id)> registered_clusters(
    const std::string& data_dir = "", const std::string& registry = "experiments/datasets.json");

}  // namespace minibert
