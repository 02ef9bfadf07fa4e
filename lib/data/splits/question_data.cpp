// Splits by file and by article.
#include "data/splits/question_data.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/files/held_out.h"
#include "data/files/share_out.h"

namespace minibert {
namespace {

// Moves `from`'s paragraphs to the splits by article title; one without a title by itself.
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
          throw Error("data set " + id + ": found question " + question.id + " in two files");
}

// Leaves out of `training` the questions that a file of `held_out` asks of the same context, and says how many.
void leave_out_same(const KorquadSet& held_out, KorquadSet* training, const char* split,
                    const Say& say) {
  std::set<std::pair<std::string, std::string>> asked;  // context and question
  for (const KorquadParagraph& paragraph : held_out.paragraphs)
    for (const KorquadQuestion& question : paragraph.questions)
      asked.emplace(paragraph.context, question.question);
  size_t count = 0;
  for (KorquadParagraph& paragraph : training->paragraphs)
    count += std::erase_if(paragraph.questions, [&](const KorquadQuestion& question) {
      return asked.contains({paragraph.context, question.question});
    });
  if (count > 0)
    say(std::string(split) + ": " + count_of(count, "question is", "questions are") +
        " in a held-out file, too: left out");
  std::erase_if(training->paragraphs, [](const auto& one) { return one.questions.empty(); });
}

// An id names an example in any split. An id in several splits gets its split's name as a prefix,
// except in the last of train, dev, test.
void make_ids_differ(KorquadSplits* splits) {
  std::unordered_set<std::string> ids;
  for (const auto& [set, name] :
       {std::pair(&splits->test, "test-"), std::pair(&splits->dev, "dev-"),
        std::pair(&splits->train, "train-")})
    for (KorquadParagraph& paragraph : set->paragraphs)
      for (KorquadQuestion& question : paragraph.questions)
        while (!ids.insert(question.id).second) question.id = name + question.id;
}

KorquadSplits load_named_files(const FileSource& source, const Say& say) {
  KorquadSet train = read_own_questions(source.train, say);
  KorquadSplits splits;
  splits.dev = read_own_questions(source.dev, say);
  splits.test = read_own_questions(source.test, say);
  // Articles too few to be shared out go by their contexts.
  std::set<std::string> titles;
  for (const KorquadParagraph& paragraph : train.paragraphs)
    if (!paragraph.title.empty()) titles.insert(paragraph.title);
  constexpr size_t kFewest = 10;
  const bool by_title = titles.size() >= kFewest;
  const std::vector<size_t> split_of = hold_out(
      train.paragraphs, source,
      [&](const KorquadParagraph& one) {
        return by_title && !one.title.empty() ? one.title : one.context;
      },
      [](const KorquadParagraph&) { return std::vector<std::string>(); });
  KorquadSet* parts[] = {&splits.train, &splits.dev, &splits.test};
  for (size_t i = 0; i < train.paragraphs.size(); ++i)
    parts[split_of[i]]->paragraphs.push_back(std::move(train.paragraphs[i]));
  // A context that is held out stands in no other split.
  if (!source.test.empty()) leave_out_same(splits.test, &splits.train, "train", say);
  if (!source.test.empty()) leave_out_same(splits.test, &splits.dev, "dev", say);
  if (!source.dev.empty()) leave_out_same(splits.dev, &splits.train, "train", say);
  make_ids_differ(&splits);
  struct Filled {
    const std::vector<KorquadParagraph>&train, &dev, &test;
  };
  check_filled(Filled{splits.train.paragraphs, splits.dev.paragraphs, splits.test.paragraphs},
               source, "contexts with questions", "an article");
  return splits;
}

}  // namespace

KorquadSet read_own_questions(const std::vector<std::string>& paths, const Say& say) {
  KorquadSet all;
  std::unordered_set<std::string> ids;
  for (const std::string& path : paths) {
    KorquadSet set =
        read_answered_questions(path, std::filesystem::path(path).stem().string() + "-");
    say(path + ": " + count_of(set.paragraphs.size(), "context", "contexts") + ", " +
        count_of(set.question_count(), "question", "questions"));
    for (const std::string& note : set.notes()) say(path + ": " + note);
    for (const KorquadParagraph& paragraph : set.paragraphs) {
      const std::u32string context = to_code_points(paragraph.context);
      for (const KorquadQuestion& question : paragraph.questions) {
        const std::string named = path + ": question " + question.id + ": ";
        if (const std::string wrong = wrong_place(context, question); !wrong.empty())
          throw Error(named + wrong);
        if (!ids.insert(question.id).second) throw Error(named + "found the id twice");
      }
    }
    append(std::move(set), &all);
  }
  std::erase_if(all.paragraphs, [](const auto& paragraph) { return paragraph.questions.empty(); });
  return all;
}

KorquadSplits load_korquad(const ResolvedData& data,
                           const std::function<void(const std::string&)>& say) {
  if (data.source) return load_named_files(*data.source, say);
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
