// A first look at files of one's own: what they hold, and what is wrong with them.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/own/columns.h"
#include "data/own/form.h"
#include "data/own/own_splits.h"
#include "data/own_source.h"

namespace minibert {

struct Survey {
  OwnForm form = OwnForm::labelled;
  bool scores =
      false;  // the labels are numbers to be found: fractions, or more than twenty different
  bool several = false;  // a text may have several labels
  OwnSource source;      // with the columns that were found, and "header" where there is none
  std::map<std::string, size_t> examples;  // of train, dev, test
  std::map<std::string, size_t> labels;    // how often: labels, types of entities; none of scores
  size_t unlabelled = 0;                   // texts without a label, where there may be several
  std::vector<std::string> columns;        // of a table
  // Characters of an example's texts together (with the longest of its alternatives): half, and 99 %, have at most so many.
  size_t median_length = 0, long_length = 0;
  size_t repeated = 0;       // texts that stand more than once
  size_t contradictory = 0;  // of these, the ones with different labels
  size_t cut = 0;            // texts that training will read in part, as far as their length tells
  std::vector<std::string> told;  // by the readers, one line each

  // The share of the most frequent label.
  double largest_share() const;
};

// Reads all of it. Throws Error as the readers do, after it has said by `before_error` what they told; a usage Error
// where labels are no numbers and shall be scores. Units and commas of scores are read by `labels` of the source that
// it returns.
Survey survey(OwnSource source, LabelsAs labels = LabelsAs::found, const Say& before_error = {});

// One line each, for people.
std::vector<std::string> lines_of(const Survey& survey);
nlohmann::ordered_json to_json(const Survey& survey);

}  // namespace minibert
