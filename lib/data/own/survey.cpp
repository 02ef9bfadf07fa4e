#include "data/own/survey.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/hidden_files.h"
#include "core/shell_quote.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/columns.h"
#include "data/own/label_cells.h"
#include "data/own/own_labelled.h"
#include "data/own/own_questions.h"
#include "data/own/own_tagged.h"
#include "data/own/score_labels.h"
#include "data/tables/read_table.h"
#include "data/tables/usual_columns.h"
#include "score/label_set.h"

namespace minibert {
namespace {

size_t characters(const std::string& text) { return to_code_points(text).size(); }

void set_lengths(std::vector<size_t> lengths, Survey* out) {
  if (lengths.empty()) return;
  std::ranges::sort(lengths);
  out->median_length = lengths[lengths.size() / 2];
  out->long_length = lengths[lengths.size() * 99 / 100];
}

// Numbers with a fraction, or too many different ones to be classes.
bool are_scores(const std::map<std::string, size_t>& labels) {
  bool fraction = false;
  for (const auto& [label, count] : labels) {
    if (!is_number(label)) return false;
    double value = 0;
    std::from_chars(label.data(), label.data() + label.size(), value);
    fraction |= value != std::trunc(value);
  }
  return fraction || labels.size() > kMostClasses;
}

// The longest text that training reads whole: 384 pieces, of about one and a half characters each.
constexpr size_t kReadWhole = 570;

bool are_numbers(const std::map<std::string, size_t>& labels) {
  return std::ranges::all_of(labels, [](const auto& one) { return is_number(one.first); });
}

// A word that stands alone in the last row of a spreadsheet with sums.
bool is_sum(std::string_view text) {
  static constexpr std::string_view kSums[] = {"합계", "총계", "총합",   "소계",  "계",
                                               "평균", "합",   "Total",  "TOTAL", "total",
                                               "Sum",  "SUM",  "Average"};
  return std::ranges::find(kSums, text) != std::end(kSums);
}

// Labels that public data sets write where nobody agreed or labelled: -1 beside numbers from 0, "-", "unsup".
void tell_unlabelled(const Survey& found, const Say& say) {
  const bool counted = std::ranges::all_of(found.labels, [](const auto& one) {
    return one.first == "-1" || one.first.find_first_not_of("0123456789") == std::string::npos;
  });
  for (const char* label : {"-", "unsup", "unlabeled", "unlabelled", "-1"})
    if (found.labels.contains(label) && (std::string_view(label) != "-1" || counted))
      say("note: the label \"" + std::string(label) + "\" may say that there is none: --column " +
          shell_quoted("labels={\"" + std::string(label) + "\":\"\"}") + " leaves its texts out");
}

// Labels that look like slips of the keyboard, and rows that look like none of the examples.
void look_at_slips(const LabelledSplits& splits, const Say& say, const Survey& found) {
  for (const auto* split : {&splits.train, &splits.dev, &splits.test})
    for (const LabelledExample& one : *split)
      if (is_sum(one.text))
        say("note: " + one.where + ": \"" + one.text +
            "\" looks like a row of sums, and is read as an example; take it out of the file if it "
            "is none");
  if (found.several || found.scores) return;
  std::map<std::string, std::vector<std::string>> alike;
  std::vector<std::string> once;
  for (const auto& [label, count] : found.labels) {
    alike[plain_name(label)].push_back(quoted_label(label));
    if (count == 1) once.push_back(quoted_label(label));
  }
  for (const auto& [plain, labels] : alike)
    if (labels.size() > 1)
      say("note: the labels " + joined(labels) +
          " differ in capitals or spaces alone, and are different labels");
  constexpr size_t kShown = 10;
  if (!once.empty() && found.labels.size() > 2) {
    const size_t all = once.size();
    once.resize(std::min(all, kShown));
    say("note: of the labels, " + joined(once) + (all > kShown ? ", …" : "") +
        (all == 1 ? " stands once" : " stand once each") + ": a slip, or too rare to be learnt");
  }
  if (found.labels.size() <= 2 || !found.source.columns.choices.empty()) return;
  tell_unlabelled(found, say);
  if (tell_numbers(splits, found.labels, say)) return;
  std::vector<std::string_view> labels;
  for (const auto& [label, count] : found.labels) labels.push_back(label);
  if (const std::string joint = foreign_separator_of(labels); !joint.empty())
    say("note: labels look joined by " + (joint.size() == 1 ? quoted_label(joint) : joint) +
        ", and each combination is learnt as one label; several of a text stand between commas, "
        "semicolons or bars, or in a list");
}

// Refuses tables where texts are expected, and tells those among texts: a folder of tables is no folder of labels.
void look_at_folder(const std::string& folder, const Say& say) {
  namespace fs = std::filesystem;
  static constexpr std::string_view kTables[] = {".csv",   ".tsv",  ".json",
                                                 ".jsonl", ".xlsx", ".xls"};
  std::vector<std::string> beside;
  size_t tables = 0, files = 0;
  std::string first;
  const auto visible = [](const fs::directory_entry& entry) {
    return !is_hidden(entry.path().filename().string());
  };
  const auto is_table = [](const fs::path& file) {
    return std::ranges::find(kTables, extension_of(file.string())) != std::end(kTables);
  };
  for (const auto& label : fs::directory_iterator(folder)) {
    if (!visible(label)) continue;
    if (label.is_regular_file() && is_table(label.path())) beside.push_back(label.path().string());
    if (!label.is_directory()) continue;
    for (const auto& file : fs::directory_iterator(label.path())) {
      if (!visible(file) || !file.is_regular_file()) continue;
      ++files;
      if (!is_table(file.path())) continue;
      ++tables;
      if (first.empty() || file.path().string() < first) first = file.path().string();
    }
  }
  if (!beside.empty()) first = std::ranges::min(beside);
  const std::string alone = "a table is looked at alone: minibert new " + for_shell(first);
  if (!first.empty() && tables == files)
    throw usage_error(folder + ": found tables, expected a folder of texts for every label; " +
                      alone);
  if (!first.empty())
    say("note: " + folder +
        ": its folders are read as labels, and each file in them as one text, "
        "be it a table; " +
        alone);
}

// Whether all cells of a column are among these, and some are not empty.
bool holds_only(const DataTable& table, size_t column, std::span<const std::string_view> words) {
  bool any = false;
  for (const TableRow& row : table.rows) {
    const std::string cell = plain_name(row.cells[column]);
    if (cell.empty()) continue;
    any = true;
    if (std::ranges::find(words, cell) == words.end()) return false;
  }
  return any;
}

// Who speaks in a chat with a language model is no label of what is said.
void refuse_speakers(const DataTable& table, const OwnColumns& columns) {
  static constexpr std::string_view kSpeakers[] = {"user",  "assistant", "system",
                                                   "human", "gpt",       "tool"};
  if (columns.label.empty() || !columns.choices.empty()) return;
  const size_t label = table.column(columns.label);
  if (!holds_only(table, label, kSpeakers)) return;
  throw usage_error(table.path + ": found a chat, whose \"" + columns.label +
                    "\" says who speaks (" + table.rows.front().cells[label] +
                    ", …), expected texts with labels, or questions with a context and an answer");
}

// Annotation tools keep what people rejected beside what they accepted.
void tell_rejected(const DataTable& table, const OwnColumns& columns, const Say& say) {
  static constexpr std::string_view kAnswers[] = {"accept", "reject", "ignore"};
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i] == columns.label || !holds_only(table, i, kAnswers)) continue;
    const auto rejected = static_cast<size_t>(std::ranges::count_if(
        table.rows, [&](const TableRow& row) { return plain_name(row.cells[i]) != "accept"; }));
    if (rejected > 0)
      say("note: \"" + table.columns[i] + "\" is not read, and says of " +
          count_of(rejected, "row", "rows") +
          " that the label was not accepted: take them out of the file, or --column label=" +
          table.columns[i] + " learns that");
  }
}

void look_at_labelled(const Say& say, LabelsAs labels, Survey* out) {
  OwnSource& source = out->source;
  if (std::filesystem::is_directory(source.train.front()))
    look_at_folder(source.train.front(), say);
  const DataTable table = read_table(source.train.front(), source.table_options());
  // Names for labels say which numbers they are.
  const LabelsAs as = gives_names(source) ? LabelsAs::found : labels;
  const OwnColumns given = std::exchange(source.columns, find_columns(table, source.columns, as));
  say(described(table));
  refuse_speakers(table, source.columns);
  tell_rejected(table, source.columns, say);
  for (const std::string& note : table.notes) say(table.path + ": " + note);
  for (const std::string& line : doubts(table, given, source.columns)) say(line);
  for (const std::string& line : unread(table, given, source.columns)) say(line);
  out->columns = table.columns;
  look_at_cells(table, labels, say, &source);
  out->several = source.several();
  // The file is read again by its columns, and those that are called by numbers do not tell whether names stand above.
  const std::vector<std::string> wanted = source.table_options().wanted;
  if (table.format != "folders" && table.format != "JSON" && table.format != "JSON lines" &&
      (!table.header || std::ranges::all_of(wanted, is_number)))
    source.header = table.header;
  const LabelledSplits splits = load_own_labelled(source, say, out->several);
  std::vector<size_t> lengths;
  std::map<std::string, std::pair<size_t, std::set<std::string>>> texts;
  for (const auto& [name, split] :
       {std::pair("train", &splits.train), std::pair("dev", &splits.dev),
        std::pair("test", &splits.test)}) {
    out->examples[name] = split->size();
    for (const LabelledExample& one : *split) {
      if (out->several)
        for (const std::string& label : labels_of(one.label)) ++out->labels[label];
      else
        ++out->labels[one.label];
      out->unlabelled += one.label.empty() ? 1 : 0;
      size_t longest = characters(one.pair);
      for (const std::string& choice : one.choices) longest = std::max(longest, characters(choice));
      lengths.push_back(characters(one.text) + longest);
      out->cut += lengths.back() > kReadWhole ? 1 : 0;
      // Of alternatives the right one's text is the answer, wherever it stands among them.
      std::vector<std::string> among = one.choices;
      std::ranges::sort(among);
      auto& [count, labels] = texts[one.text + "\t" + one.pair + "\t" + joined(among, "\t")];
      ++count;
      size_t right = 0;
      std::from_chars(one.label.data(), one.label.data() + one.label.size(), right);
      labels.insert(right > 0 && right <= one.choices.size() ? one.choices[right - 1] : one.label);
    }
  }
  for (const auto& [text, seen] : texts) {
    out->repeated += seen.first > 1;
    out->contradictory += seen.second.size() > 1;
  }
  set_lengths(std::move(lengths), out);
  out->scores = labels == LabelsAs::scores || (labels == LabelsAs::found && !out->several &&
                                               !gives_names(source) && are_scores(out->labels));
  if (out->scores && out->several)
    throw usage_error(source.train.front() +
                      ": found several labels a text, expected numbers for regression");
  if (out->scores && !are_numbers(out->labels)) refuse_as_numbers(splits);
  look_at_slips(splits, say, *out);
  if (!out->scores && source.columns.choices.empty() &&
      (unseen_labels(splits, splits.dev, out->several).texts > 0 ||
       unseen_labels(splits, splits.test, out->several).texts > 0))
    say("note: run refuses labels that training lacks: take the texts that have them out of dev "
        "and test, or give some of them to training");
  if (out->scores) out->labels.clear();
}

void look_at_tagged(const Say& say, Survey* out) {
  const TaggedSplits splits = load_own_tagged(out->source, say);
  std::vector<size_t> lengths;
  for (const auto& [name, split] :
       {std::pair("train", &splits.train), std::pair("dev", &splits.dev),
        std::pair("test", &splits.test)}) {
    out->examples[name] = split->size();
    for (const TaggedSentence& one : *split) {
      lengths.push_back(one.tags.size());
      for (const std::string& tag : one.tags)
        if (tag.starts_with("B-")) ++out->labels[tag.substr(2)];
    }
  }
  set_lengths(std::move(lengths), out);
}

void look_at_questions(const Say& say, Survey* out) {
  OwnSource& source = out->source;
  if (!is_question_json(source.train.front())) {
    const DataTable table = read_table(source.train.front(), source.table_options());
    source.columns = find_columns(table, source.columns);
    out->columns = table.columns;
  }
  const KorquadSplits splits = load_own_questions(source, say);
  std::vector<size_t> lengths;
  for (const auto& [name, set] : {std::pair("train", &splits.train), std::pair("dev", &splits.dev),
                                  std::pair("test", &splits.test)}) {
    out->examples[name] = set->question_count();
    for (const KorquadParagraph& paragraph : set->paragraphs)
      lengths.push_back(characters(paragraph.context));
  }
  set_lengths(std::move(lengths), out);
}

}  // namespace

double Survey::largest_share() const {
  size_t all = 0, largest = 0;
  for (const auto& [label, count] : labels) all += count, largest = std::max(largest, count);
  return all == 0 ? 0 : static_cast<double>(largest) / static_cast<double>(all);
}

Survey survey(OwnSource source, LabelsAs labels, const Say& before_error) {
  Survey out;
  out.source = std::move(source);
  // Columns that were found are named when the file is read again, so that some lines would come twice.
  const Say say = [&](const std::string& line) {
    if (std::ranges::find(out.told, line) == out.told.end()) out.told.push_back(line);
  };
  out.form = form_of(out.source);
  if (labels != LabelsAs::found && out.form != OwnForm::labelled)
    throw usage_error("--task: found a file without labels of texts, expected none");
  try {
    switch (out.form) {
      case OwnForm::labelled:
        look_at_labelled(say, labels, &out);
        break;
      case OwnForm::tagged:
        look_at_tagged(say, &out);
        break;
      case OwnForm::questions:
        look_at_questions(say, &out);
        break;
    }
  } catch (const Error&) {
    // What was left out may be why.
    if (before_error)
      for (const std::string& line : out.told) before_error(line);
    throw;
  }
  return out;
}

std::vector<std::string> lines_of(const Survey& survey) {
  std::vector<std::string> out = survey.told;
  if (!survey.columns.empty()) out.push_back("columns: " + joined(survey.columns));
  const char* what = survey.form == OwnForm::labelled ? "texts"
                     : survey.form == OwnForm::tagged ? "sentences"
                                                      : "questions";
  out.push_back(std::string(what) + ": " + std::to_string(survey.examples.at("train")) +
                " to train on (train), " + std::to_string(survey.examples.at("dev")) +
                " to choose by (dev), " + std::to_string(survey.examples.at("test")) +
                " to measure on (test)");
  if (!survey.labels.empty()) {
    size_t all = 0;
    std::vector<std::pair<size_t, std::string>> sorted;
    for (const auto& [label, count] : survey.labels) {
      all += count;
      sorted.emplace_back(count, label);
    }
    const size_t examples =
        survey.examples.at("train") + survey.examples.at("dev") + survey.examples.at("test");
    char of_a_text[64];
    std::snprintf(of_a_text, sizeof of_a_text, "%.2f a text on average, ",
                  static_cast<double>(all) / static_cast<double>(examples));
    // Of texts that may have several, the share of texts.
    if (survey.several) all = examples;
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& one) { return one.first; });
    constexpr size_t kShown = 30;
    std::vector<std::string> words;
    for (size_t i = 0; i < std::min(kShown, sorted.size()); ++i) {
      char share[32];
      std::snprintf(share, sizeof share, " (%.1f %%)",
                    100 * static_cast<double>(sorted[i].first) / static_cast<double>(all));
      words.push_back(on_one_line(sorted[i].second) + " " + std::to_string(sorted[i].first) +
                      share);
    }
    out.push_back(count_of(sorted.size(), "label: ", "labels: ") + joined(words) +
                  (sorted.size() > kShown ? ", …" : ""));
    if (survey.several)
      out.push_back(std::string("labels: several a text, ") + of_a_text +
                    count_of(survey.unlabelled, "text", "texts") + " without one");
  }
  if (survey.scores) out.emplace_back("labels: numbers, to be found as such");
  out.push_back(std::string(survey.form == OwnForm::questions ? "contexts" : what) +
                ": half have at most " + count_of(survey.median_length, "character", "characters") +
                ", 99 % at most " + std::to_string(survey.long_length));
  if (survey.cut > 0)
    out.push_back("note: " + count_of(survey.cut, "text has", "texts have") + " more than about " +
                  std::to_string(kReadWhole) +
                  " characters, of which training reads the beginning alone");
  if (survey.repeated == 1)
    out.push_back("1 text stands more than once, with " +
                  std::string(survey.contradictory == 1 ? "different labels" : "one label"));
  if (survey.repeated > 1)
    out.push_back(std::to_string(survey.repeated) + " texts stand more than once, " +
                  std::to_string(survey.contradictory) + " of them with different labels");
  return out;
}

nlohmann::ordered_json to_json(const Survey& survey) {
  return {{"form", survey.form == OwnForm::labelled ? (survey.scores    ? "scores"
                                                       : survey.several ? "label sets"
                                                                        : "labels")
                   : survey.form == OwnForm::tagged ? "tags"
                                                    : "questions"},
          {"data", to_json(survey.source)},
          {"columns", survey.columns},
          {"examples", survey.examples},
          {"labels", survey.labels},
          {"median_length", survey.median_length},
          {"length_of_99_percent", survey.long_length},
          {"repeated_texts", survey.repeated},
          {"contradictory_texts", survey.contradictory},
          {"cut_texts", survey.cut},
          {"notes", survey.told}};
}

}  // namespace minibert
