// Holds splits without a file out of the training files.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "data/files/file_source.h"
#include "data/files/share_out.h"

namespace minibert {

// Called with one line for people about a file or about left-out rows.
using Say = std::function<void(const std::string&)>;

// Returns the split of each item: 0 train, 1 dev, 2 test. Whole groups (key_of) are held out by the
// hash of their key, source.held_out percent for each split without a file. Each name from names_of
// (a label, a tag) stays in training at least once, with its group of the smallest hash.
template <class Item, class KeyOf, class NamesOf>
std::vector<size_t> hold_out(const std::vector<Item>& items, const FileSource& source,
                             const KeyOf& key_of, const NamesOf& names_of) {
  const int dev = source.dev.empty() ? source.held_out : 0;
  const int test = source.test.empty() ? source.held_out : 0;
  std::vector<size_t> split_of = share_out_by_hash({100 - dev - test, dev, test}, items, key_of);
  std::set<std::string> trained;
  for (size_t i = 0; i < items.size(); ++i)
    if (split_of[i] == 0)
      for (const std::string& name : names_of(items[i])) trained.insert(name);
  std::map<std::string, std::string> first;  // by name: the key of the group that stays
  for (size_t i = 0; i < items.size(); ++i)
    for (const std::string& name : names_of(items[i])) {
      if (trained.contains(name)) continue;
      const std::string key = key_of(items[i]);
      std::string& kept = first.try_emplace(name, key).first->second;
      if (sha256_hex(key) < sha256_hex(kept)) kept = key;
    }
  std::set<std::string> kept;
  for (const auto& [name, key] : first) kept.insert(key);
  if (!kept.empty())
    for (size_t i = 0; i < items.size(); ++i)
      if (kept.contains(key_of(items[i]))) split_of[i] = 0;
  return split_of;
}

// Throws a usage Error if a split that will be used is empty. `what`: the missing items ("rows");
// `together`: the items that stay in one split.
template <class Splits>
void check_filled(const Splits& splits, const FileSource& source, const std::string& what,
                  const std::string& together) {
  if (source.train.empty()) return;  // a stored model is evaluated
  const auto check = [&](const auto& split, const char* name) {
    if (!split.empty()) return;
    throw usage_error(source.train.front() + ": found too few " + what + ": none is left for " +
                      name + " (" + together +
                      " stays together); expected more, or a file: \"data\": {\"" + name +
                      "\": FILE}");
  };
  check(splits.train, "train");
  check(splits.dev, "dev");
  check(splits.test, "test");
}

// Reports how many dev and test items have the same input (asked_in) as a training item.
template <class Splits, class AskedIn>
void report_leaks(const Splits& splits, const AskedIn& asked_in, const Say& say) {
  std::set<std::string> trained;
  for (const auto& one : splits.train) trained.insert(asked_in(one));
  for (const auto& [name, split] :
       {std::pair("dev", &splits.dev), std::pair("test", &splits.test)}) {
    const auto count = std::ranges::count_if(
        *split, [&](const auto& one) { return trained.contains(asked_in(one)); });
    if (count > 0)
      say("note: " + std::to_string(count) + " of the " + count_of(split->size(), "text", "texts") +
          " of " + name + (count == 1 ? " stands" : " stand") + " in training, too");
  }
}

}  // namespace minibert
