// Splits by file and by article.
#include "data/splits/question_data.h"

#include <algorithm>
#include <unordered_set>

#include "core/error.h"
#include "data/own/own_questions.h"
#include "data/share_out.h"

namespace minibert {
namespace {

// Moves `from`'s paragraphs to the splits, by their articles' titles; one of an article without a title
// by itself.
void share_out(KorquadSet from, const ArticleSplit& parts, KorquadSplits* out) {
  const std::vector<size_t> split_of = share_out_by_hash(
      {parts.train, parts.dev, parts.test}, from.paragraphs, [](const KorquadParagraph& paragraph) {
        return paragraph.title.empty() ? paragraph.context : paragraph.title;
      });
  KorquadSet* splits[] = {&out->train, &out->dev, &out->test};
  for (size_t i = 0; i < from.paragraphs.size(); ++i)
    splits[split_of[i]]->paragraphs.push_back(std::move(from.paragraphs[i]));
}

void append(KorquadSet from, KorquadSet* to) {
  std::ranges::move(from.paragraphs, std::back_inserter(to->paragraphs));
}

// Questions of `held_out` are left out of training: TyDiQA's two official files share some.
void leave_out(const KorquadSet& held_out, KorquadSet* training) {
  std::unordered_set<std::string> ids;
  for (const KorquadParagraph& paragraph : held_out.paragraphs)
    for (const KorquadQuestion& question : paragraph.questions) ids.insert(question.id);
  for (KorquadParagraph& paragraph : training->paragraphs)
    std::erase_if(paragraph.questions,
                  [&](const KorquadQuestion& question) { return ids.contains(question.id); });
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

KorquadSplits load_korquad(const ResolvedData& data,
                           const std::function<void(const std::string&)>& say) {
  if (data.own) return load_own_questions(*data.own, say);
  KorquadSplits splits;
  bool any = false;
  for (size_t i = 0; i < data.files.size(); ++i) {
    const DataFile& file = data.set.files[i];
    if (file.kind != "korquad") continue;
    any = true;
    KorquadSet set = read_korquad(data.files[i].path);
    if (set.unanswerable > 0)
      say("data set " + data.set.id + ": " + std::to_string(set.unanswerable) +
          " questions have no answer in their context: left out");
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
  leave_out(splits.test, &splits.train);
  leave_out(splits.test, &splits.dev);
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
