#include "data/splits/tagged_data.h"

#include <algorithm>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/utf8.h"
#include "data/own/own_tagged.h"
#include "data/share_out.h"
#include "text/line_reader.h"

namespace minibert {
namespace {

void check_tag(const std::string& tag, const std::string& before, const std::string& where) {
  const bool inside = tag.starts_with("I-");
  if (tag != "O" && !((inside || tag.starts_with("B-")) && tag.size() > 2))
    throw Error(where + ": found the tag \"" + excerpt(tag) + "\", expected O, B-… or I-…");
  if (inside && (before.size() < 2 || before.substr(1) != tag.substr(1)))
    throw Error(where + ": found the tag \"" + excerpt(tag) + "\" after \"" +
                (before.empty() ? "the sentence's start" : excerpt(before)) + "\", expected B" +
                excerpt(tag.substr(1)) + " first");
}

std::vector<TaggedSentence> read_tagged(const std::string& path, const DataFile& file) {
  LineReader reader(path);
  std::vector<TaggedSentence> out;
  TaggedSentence sentence;
  const auto finish = [&] {
    if (sentence.tags.empty()) return;
    sentence.id = file.split + "-" + std::to_string(out.size() + 1);
    out.push_back(std::move(sentence));
    sentence = {};
  };
  for (std::string line; reader.next(&line);) {
    if (line.empty()) {
      finish();
      continue;
    }
    if (line.starts_with("##")) continue;
    if (const size_t bad = first_invalid_utf8(line); bad != kValid)
      throw Error(reader.where() + ": not valid UTF-8 at byte " + std::to_string(bad));
    const size_t tab = line.rfind('\t');
    if (tab == std::string::npos || to_code_points(line.substr(0, tab)).size() != 1)
      throw Error(reader.where() + ": found \"" + excerpt(line) +
                  "\", expected one character, a tab, a tag");
    const std::string tag = line.substr(tab + 1);
    check_tag(tag, sentence.tags.empty() ? "" : sentence.tags.back(), reader.where());
    sentence.text += line.substr(0, tab);
    sentence.tags.push_back(tag);
  }
  finish();
  if (out.empty()) throw Error(path + ": has no sentences, expected tagged characters");
  return out;
}

}  // namespace

TaggedSplits load_tagged(const ResolvedData& data,
                         const std::function<void(const std::string&)>& say) {
  if (data.own) return load_own_tagged(*data.own, say);
  TaggedSplits splits;
  bool any = false;
  for (size_t i = 0; i < data.files.size(); ++i) {
    const DataFile& file = data.set.files[i];
    if (file.kind != "tags") continue;
    any = true;
    std::vector<TaggedSentence> sentences = read_tagged(data.files[i].path, file);
    std::vector<TaggedSentence>* out[] = {&splits.train, &splits.dev, &splits.test};
    if (data.set.rows && data.set.rows->from == file.split) {
      const auto split_of =
          share_out_by_hash({data.set.rows->train, data.set.rows->dev, data.set.rows->test},
                            sentences, [](const TaggedSentence& one) { return one.text; });
      for (size_t k = 0; k < sentences.size(); ++k)
        out[split_of[k]]->push_back(std::move(sentences[k]));
    } else {
      std::ranges::move(sentences, std::back_inserter(*out[file.split == "train" ? 0
                                                           : file.split == "dev" ? 1
                                                                                 : 2]));
    }
  }
  if (!any) throw usage_error("data set " + data.set.id + ": has no tagged sentences");
  if (splits.train.empty())
    throw usage_error("data set " + data.set.id + ": has no training sentences");
  return splits;
}

}  // namespace minibert
