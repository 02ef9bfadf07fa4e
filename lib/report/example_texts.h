// Finds the texts of a stored run's examples in the files of its data set.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace minibert {

// The places of data sets and of their description.
struct DataPlaces {
  std::string registry = "experiments/datasets.json";
  std::string data_dir;  // empty: MINIBERT_DATA, else "data"
};

struct ExampleTexts {
  std::map<std::string, std::string> by_id;  // "question" or "text / pair", for every example
  std::string missing;                       // one line: why there are no texts; else empty
};

// `data` is a record's /data. Uses only files with the recorded SHA-256: in others an id could mean
// another text. Never throws: a report without texts is better than none.
ExampleTexts example_texts(const nlohmann::json& data, const DataPlaces& places);

}  // namespace minibert
