// The texts that examples of a stored run ask about, from its data set's files.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace minibert {

// Where data sets are described and lie.
struct DataPlaces {
  std::string registry = "experiments/datasets.json";
  std::string data_dir;  // empty: MINIBERT_DATA, else "data"
};

struct ExampleTexts {
  std::map<std::string, std::string> by_id;  // "question" or "text / pair", of every example
  std::string missing;                       // one line: why there are none; empty when there are
};

// `data` is a record's /data. Only files with the recorded SHA-256 are taken: other ones' ids could
// mean other texts. Throws nothing: a report without texts is better than none.
ExampleTexts example_texts(const nlohmann::json& data, const DataPlaces& places);

}  // namespace minibert
