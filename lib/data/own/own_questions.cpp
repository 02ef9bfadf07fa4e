#include "data/own/own_questions.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>

#include "core/files.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/columns.h"
#include "data/own/label_cells.h"
#include "data/own/own_labelled.h"
#include "data/tables/json_rows.h"
#include "data/tables/read_table.h"
#include "data/tables/text_encoding.h"
#include "data/tables/usual_columns.h"
#include "text/python_text.h"

namespace minibert {
namespace {

class TableReader {
 public:
  // `ids_begin`: with what the ids begin that are made, where the file has none.
  TableReader(const OwnSource& source, std::string ids_begin, const Say& say)
      : source_(source), ids_begin_(std::move(ids_begin)), say_(say) {}

  KorquadSet read(const std::string& path) {
    const DataTable table = read_table(path, source_.table_options());
    say_(described(table));
    for (const std::string& note : table.notes) say_(path + ": " + note);
    OwnColumns names = find_columns(table, source_.columns);
    if (const std::string start = start_beside(names.answer);
        names.answer_start.empty() && std::ranges::count(table.columns, start) > 0)
      names.answer_start = start;
    if (names.question.empty() || names.context.empty() || names.answer.empty())
      throw usage_error(path +
                        ": found no questions, expected the keys \"question\", \"context\" "
                        "and \"answer\" to name columns");
    say_(path + ": " + described(names));
    const auto one = [&](const std::string& name) {
      return name.empty() ? std::optional<size_t>() : std::optional(table.column(name));
    };
    const size_t question = table.column(names.question), context = table.column(names.context),
                 answer = table.column(names.answer);
    const auto start = one(names.answer_start), group = one(names.group), id = one(names.id);
    const auto impossible = std::ranges::find_if(
        table.columns, [](const std::string& name) { return plain_name(name) == "is_impossible"; });
    KorquadSet set;
    std::map<std::pair<std::string, std::string>, size_t> paragraph_of;  // group and context
    size_t unanswered = 0, empty = 0, merged = 0, absent = 0, several = 0, elsewhere = 0, more = 0;
    std::string first_empty, first_absent;
    std::set<std::string> absent_answers;
    for (const TableRow& row : table.rows) {
      // What stands as their answer seems right and is not.
      if (impossible != table.columns.end() &&
          flag_of(row.cells[static_cast<size_t>(impossible - table.columns.begin())]) == true) {
        ++unanswered;
        continue;
      }
      const std::string text = row.cells[context];
      // "[1]" is an answer, too, where the context has it.
      const Listed answers = text.find(row.cells[answer]) == std::string::npos
                                 ? listed(row.cells[answer])
                                 : Listed{row.cells[answer]};
      more += answers.count > 1 ? 1 : 0;
      const std::string wanted(strip(answers.first)), asked(strip(row.cells[question]));
      if (strip(text).empty() || wanted.empty() || asked.empty()) {
        if (empty++ == 0) first_empty = table.where(row);
        merged += strip(text).empty() && !wanted.empty() && !asked.empty() ? 1 : 0;
        continue;
      }
      KorquadQuestion one;
      one.question = asked, one.answer = wanted;
      const size_t found = text.find(wanted);
      if (found == std::string::npos) {
        if (absent++ == 0) first_absent = table.where(row);
        absent_answers.insert(wanted);
        continue;
      }
      one.answer_start = static_cast<int64_t>(to_code_points(text.substr(0, found)).size());
      if (start) {
        const int64_t given =
            number(listed(row.cells[*start]).first, table.where(row), names.answer_start) +
            spaces_before(answers.first, wanted);
        if (stands_at(text, wanted, given))
          one.answer_start = given;
        else
          ++elsewhere;
      } else {
        several += text.find(wanted, found + 1) != std::string::npos;
      }
      one.id =
          id ? std::string(strip(row.cells[*id])) : ids_begin_ + "-" + std::to_string(row.place);
      const std::string title = group ? std::string(strip(row.cells[*group])) : "";
      const auto [at, added] = paragraph_of.try_emplace({title, text}, set.paragraphs.size());
      if (added) set.paragraphs.push_back({title, text, {}, path});
      set.paragraphs[at->second].questions.push_back(std::move(one));
    }
    tell(path, unanswered, "question has", "questions have",
         " no answer (\"is_impossible\"): left out");
    tell(path, empty, "row has", "rows have",
         " an empty question, context or answer: left out (the first is " + first_empty + ")" +
             (merged > 0 && table.is_separated() ? kOfMergedCells : ""));
    // O and X, or other answers that come again and again, are labels.
    const bool are_labels = set.paragraphs.empty() && absent_answers.size() * 2 <= absent;
    tell(path, absent, "answer does not stand in its context",
         "answers do not stand in their contexts",
         ": left out (the first is " + first_absent + ")" +
             (are_labels ? "; as labels they are learnt by --column 'text=" + names.context +
                               "' --column 'pair=" + names.question +
                               "' --column 'label=" + names.answer + "'"
                         : ""));
    tell(path, more, "question has", "questions have", " several answers: the first is taken");
    tell(path, several, "answer stands in its context", "answers stand in their contexts",
         " more than once: the first place is taken");
    tell(path, elsewhere, "answer does not stand at its ", "answers do not stand at their ",
         names.answer_start + ", which counts code points from 0: the first place is taken");
    return set;
  }

 private:
  void tell(const std::string& path, size_t count, const char* one, const char* several,
            const std::string& what) const {
    if (count > 0) say_(path + ": " + count_of(count, one, several) + what);
  }
  // Of "answers.text" it is "answers.answer_start".
  static std::string start_beside(const std::string& answer) {
    const size_t dot = answer.rfind('.');
    return (dot == std::string::npos ? "" : answer.substr(0, dot + 1)) + "answer_start";
  }
  // A list of answers, as "answers": {"text": ["…"], "answer_start": [0]} has them, or a cell that is none.
  struct Listed {
    std::string first;
    size_t count = 1;
  };
  static Listed listed(const std::string& cell) {
    if (!cell.starts_with('[')) return {cell};
    const nlohmann::json list = nlohmann::json::parse(cell, nullptr, false);
    if (!list.is_array()) return {cell};
    if (list.empty()) return {"", 0};
    return {list[0].is_string() ? list[0].get<std::string>() : list[0].dump(), list.size()};
  }
  static int64_t spaces_before(const std::string& cell, const std::string& stripped) {
    return static_cast<int64_t>(to_code_points(cell.substr(0, cell.find(stripped))).size());
  }
  // Whether the answer begins at so many code points.
  static bool stands_at(const std::string& text, const std::string& answer, int64_t start) {
    const std::u32string characters = to_code_points(text), wanted = to_code_points(answer);
    return start >= 0 && static_cast<size_t>(start) <= characters.size() &&
           characters.compare(static_cast<size_t>(start), wanted.size(), wanted) == 0;
  }
  static int64_t number(const std::string& cell, const std::string& where,
                        const std::string& column) {
    const std::string_view bare = strip(cell);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(bare.data(), bare.data() + bare.size(), value);
    if (error != std::errc() || end != bare.data() + bare.size())
      throw Error(where + ": " + column + ": found \"" + clipped(std::string(bare), 60) +
                  "\", expected a whole number of code points");
    return value;
  }

  const OwnSource& source_;
  std::string ids_begin_;
  const Say& say_;
};

// The file's name without its ending; with that and its folders where another of the files is called so.
std::string name_among(const std::string& path, const OwnSource& source) {
  namespace fs = std::filesystem;
  const fs::path own = fs::path(path);
  size_t alike = 0;
  for (const auto* files : {&source.train, &source.dev, &source.test})
    for (const std::string& other : *files) alike += fs::path(other).stem() == own.stem();
  return alike > 1 ? path : own.stem().string();
}

// Throws Error naming the file and the question whose answer does not stand at its answer_start.
void check_places(const KorquadSet& set) {
  for (const KorquadParagraph& paragraph : set.paragraphs) {
    const std::u32string context = to_code_points(paragraph.context);
    for (const KorquadQuestion& question : paragraph.questions)
      if (const std::string wrong = wrong_place(context, question); !wrong.empty())
        throw Error(paragraph.source + ": question " + question.id + ": " + wrong);
  }
}

KorquadSet read_own_set(const std::vector<std::string>& paths, const OwnSource& source,
                        const Say& say) {
  KorquadSet all;
  std::unordered_set<std::string> ids;
  for (const std::string& path : paths) {
    KorquadSet set;
    if (is_question_json(path)) {
      set = read_answered_questions(path, name_among(path, source) + "-");
      check_places(set);
      say(path + ": " + count_of(set.paragraphs.size(), "context", "contexts") + ", " +
          count_of(set.question_count(), "question", "questions"));
      for (const std::string& note : set.notes()) say(path + ": " + note);
    } else {
      set = TableReader(source, name_among(path, source), say).read(path);
    }
    for (const KorquadParagraph& paragraph : set.paragraphs)
      for (const KorquadQuestion& question : paragraph.questions)
        if (!ids.insert(question.id).second)
          throw Error(path + ": question " + question.id + ": the id stands twice");
    std::ranges::move(set.paragraphs, std::back_inserter(all.paragraphs));
  }
  std::erase_if(all.paragraphs, [](const auto& paragraph) { return paragraph.questions.empty(); });
  return all;
}

// Questions of `held_out` that stand in `training`, too, are left out there, as TyDiQA's two files share some: with the
// same context, or with the same id and answer. An id alone says nothing, as annotation tools count from 1 in every
// file, and ask the same of many texts.
void leave_out_and_say(const KorquadSet& held_out, KorquadSet* training, const char* split,
                       const Say& say) {
  using Asked = std::pair<std::string, std::string>;  // context, or id and answer; question
  const auto named = [](const KorquadQuestion& question) {
    return Asked{question.id + "\t" + question.answer, question.question};
  };
  std::map<Asked, std::string> file_of_context, file_of_id;
  for (const KorquadParagraph& paragraph : held_out.paragraphs)
    for (const KorquadQuestion& question : paragraph.questions) {
      file_of_context.try_emplace({paragraph.context, question.question}, paragraph.source);
      file_of_id.try_emplace(named(question), paragraph.source);
    }
  std::map<std::pair<std::string, std::string>, size_t> counts;  // by the two files
  for (KorquadParagraph& paragraph : training->paragraphs)
    std::erase_if(paragraph.questions, [&](const KorquadQuestion& question) {
      auto found = file_of_context.find({paragraph.context, question.question});
      if (found == file_of_context.end()) {
        found = file_of_id.find(named(question));
        if (found == file_of_id.end()) return false;
      }
      ++counts[{paragraph.source, found->second}];
      return true;
    });
  for (const auto& [files, count] : counts)
    say(files.first + ": " + count_of(count, "question of ", "questions of ") + split +
        (count == 1 ? " stands in " : " stand in ") + files.second + ", too: left out here");
  std::erase_if(training->paragraphs, [](const auto& one) { return one.questions.empty(); });
}

// Ids name examples whatever split they are in. Of questions with one id that of the test split keeps it, else that of
// the dev split; the ids of others get their split's name in front.
void make_ids_differ(KorquadSplits* splits, const Say& say) {
  std::unordered_set<std::string> ids;
  for (const auto& [set, name] : {std::pair(&splits->test, "test"), std::pair(&splits->dev, "dev"),
                                  std::pair(&splits->train, "train")}) {
    size_t renamed = 0;
    for (KorquadParagraph& paragraph : set->paragraphs)
      for (KorquadQuestion& question : paragraph.questions) {
        if (ids.insert(question.id).second) continue;
        ++renamed;
        do {
          question.id = std::string(name) + "-" + question.id;
        } while (!ids.insert(question.id).second);
      }
    if (renamed > 0)
      say(std::string(name) + ": " +
          count_of(renamed, "question has the id of another split's question",
                   "questions have ids of other splits' questions") +
          ": \"" + name + "-\" goes before " + (renamed == 1 ? "it" : "them"));
  }
}

}  // namespace

bool is_question_json(const std::string& path) {
  if (std::filesystem::is_directory(path)) return false;
  const DecodedText text = read_decoded(path);
  const std::string_view bare = strip(text.text);
  if (!bare.starts_with('{') && !bare.starts_with('[')) return false;
  try {
    return holds_questions(parse_json(bare));
  } catch (const Error&) {
    return false;  // whoever reads it says what is wrong
  }
}

KorquadSplits load_own_questions(const OwnSource& source, const Say& say) {
  KorquadSet train = read_own_set(source.train, source, say);
  KorquadSplits splits;
  splits.dev = read_own_set(source.dev, source, say);
  splits.test = read_own_set(source.test, source, say);
  // Rows without a group, and articles too few to be shared out, go by their contexts.
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
  // Of files that were given; what is held out stands in no other split.
  if (!source.test.empty()) leave_out_and_say(splits.test, &splits.train, "train", say);
  if (!source.test.empty()) leave_out_and_say(splits.test, &splits.dev, "dev", say);
  if (!source.dev.empty()) leave_out_and_say(splits.dev, &splits.train, "train", say);
  make_ids_differ(&splits, say);
  struct Filled {
    const std::vector<KorquadParagraph>&train, &dev, &test;
  };
  check_filled(Filled{splits.train.paragraphs, splits.dev.paragraphs, splits.test.paragraphs},
               source, "contexts with questions");
  return splits;
}

}  // namespace minibert
