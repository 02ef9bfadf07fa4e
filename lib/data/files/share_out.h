// Divides items among splits by the hash of a key, in the same way on every machine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/sha256.h"

namespace minibert {

// Returns the index of every item's share. Keys are sorted by their SHA-256: the first percents[0]
// percent are share 0, the next percents[1] percent share 1, …; items with equal keys stay
// together. The percents add up to 100.
template <class Item, class KeyOf>
std::vector<size_t> share_out_by_hash(const std::vector<int>& percents,
                                      const std::vector<Item>& items, const KeyOf& key_of) {
  std::map<std::string, size_t> share_of_hash;
  std::vector<std::string> hashes;
  for (const Item& item : items) {
    hashes.push_back(sha256_hex(key_of(item)));
    share_of_hash[hashes.back()] = 0;
  }
  const size_t count = share_of_hash.size();
  size_t index = 0, share = 0;
  int percent = percents[0];
  for (auto& [hash, its] : share_of_hash) {
    while (index >= (count * static_cast<size_t>(percent) + 50) / 100 &&
           share + 1 < percents.size())
      percent += percents[++share];
    its = share;
    ++index;
  }
  std::vector<size_t> out;
  for (const std::string& hash : hashes) out.push_back(share_of_hash.at(hash));
  return out;
}

}  // namespace minibert
