// Splits by file and by article.
#include "data/splits.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "core/error.h"
#include "core/sha256.h"

namespace minibert {
namespace {

// Moves `from`'s paragraphs to the splits, by their articles' titles.
void share_out(KorquadSet from, const ArticleSplit& parts, KorquadSplits* out) {
  std::map<std::string, std::string> title_of_hash;
  for (const KorquadParagraph& paragraph : from.paragraphs)
    title_of_hash.emplace(sha256_hex(paragraph.title), paragraph.title);
  const size_t count = title_of_hash.size();
  const auto first_after = [&](int percent) {
    return (count * static_cast<size_t>(percent) + 50) / 100;
  };
  const size_t train_end = first_after(parts.train);
  const size_t dev_end = first_after(parts.train + parts.dev);
  std::map<std::string, KorquadSet*> split_of_title;
  size_t index = 0;
  for (const auto& [hash, title] : title_of_hash) {
    split_of_title[title] = index < train_end ? &out->train
                            : index < dev_end ? &out->dev
                                              : &out->test;
    ++index;
  }
  out->train.source = out->dev.source = out->test.source = from.source;
  for (KorquadParagraph& paragraph : from.paragraphs)
    split_of_title.at(paragraph.title)->paragraphs.push_back(std::move(paragraph));
}

void append(KorquadSet from, KorquadSet* to) {
  to->source = from.source;
  std::ranges::move(from.paragraphs, std::back_inserter(to->paragraphs));
}

void refuse_shared_ids(const KorquadSplits& splits, const std::string& id) {
  std::unordered_set<std::string> seen;
  for (const KorquadSet* set : {&splits.train, &splits.dev, &splits.test})
    for (const KorquadParagraph& paragraph : set->paragraphs)
      for (const KorquadQuestion& question : paragraph.questions)
        if (!seen.insert(question.id).second)
          throw Error("data set " + id + ": question " + question.id + " stands in two files");
}

}  // namespace

KorquadSplits load_korquad(const ResolvedData& data) {
  KorquadSplits splits;
  bool any = false;
  for (size_t i = 0; i < data.files.size(); ++i) {
    const DataFile& file = data.set.files[i];
    if (file.kind != "korquad") continue;
    any = true;
    KorquadSet set = read_korquad(data.files[i].path);
    if (data.set.articles && data.set.articles->from == file.split) {
      share_out(std::move(set), *data.set.articles, &splits);
    } else if (file.split == "train") {
      append(std::move(set), &splits.train);
    } else if (file.split == "dev") {
      append(std::move(set), &splits.dev);
    } else {
      append(std::move(set), &splits.test);
    }
  }
  if (!any) throw usage_error("data set " + data.set.id + ": has no questions (KorQuAD files)");
  refuse_shared_ids(splits, data.set.id);
  return splits;
}

TextFiles text_files(const ResolvedData& data) {
  TextFiles out;
  for (size_t i = 0; i < data.files.size(); ++i) {
    const DataFile& file = data.set.files[i];
    if (file.kind != "text") continue;
    (file.split == "dev"    ? out.dev
     : file.split == "test" ? out.test
                            : out.train)
        .push_back(data.files[i].path);
  }
  if (out.train.empty() && out.dev.empty() && out.test.empty())
    throw usage_error("data set " + data.set.id + ": has no plain text files");
  return out;
}

}  // namespace minibert
