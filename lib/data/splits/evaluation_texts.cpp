#include "data/splits/evaluation_texts.h"

#include <algorithm>

#include "core/error.h"
#include "data/corpus.h"
#include "data/files/table.h"
#include "data/files/tagged_file.h"
#include "data/questions/korquad.h"
#include "data/splits/example_kind.h"
#include "data/splits/labelled_data.h"
#include "data/splits/question_data.h"
#include "data/splits/tagged_data.h"

namespace minibert {
namespace {

constexpr size_t kShortestField = 10;  // letters

// Adds the cells of a table that may be texts.
void add_cells(const std::string& path, const TableLayout& layout, TextOverlap* overlap) {
  const FileTable table =
      read_table(path, {.separator = layout.separator, .header = layout.header});
  for (const TableRow& row : table.rows)
    for (const std::string& cell : row.cells)
      if (letters_of(cell).size() >= kShortestField) overlap->add(cell);
}

}  // namespace

void add_evaluation_texts(const ResolvedData& data, TextOverlap* overlap) {
  const size_t before = overlap->size();
  for (size_t i = 0; i < data.files.size(); ++i) {
    const DataFile& file = data.set.files[i];
    const std::string& path = data.files[i].path;
    if (file.kind == "korquad") {
      for (const KorquadParagraph& paragraph : read_korquad(path).paragraphs)
        overlap->add(paragraph.context);
    } else if (file.split == "train") {
      continue;
    } else if (file.kind == "text") {
      CorpusReader reader({path});
      for (Document document; reader.next(&document);)
        for (const std::string& paragraph : document.paragraphs) overlap->add(paragraph);
    } else if (file.kind == "tags") {
      for (const TaggedSentence& one : read_tagged_file(path, TagForm::characters, {}, file.split,
                                                        1, [](const std::string&) {}))
        overlap->add(one.text);
    } else if (file.kind == "table") {
      add_cells(path, data.set.table.value_or(TableLayout()), overlap);
    }
  }
  if (overlap->size() == before)
    throw usage_error("data set " + data.set.id + ": has no evaluation texts to compare with");
}

TextOverlap evaluation_overlap(const std::vector<std::string>& ids,
                               const std::function<ResolvedData(const std::string&)>& find) {
  TextOverlap overlap;
  for (const std::string& id : ids) add_evaluation_texts(find(id), &overlap);
  overlap.finish();
  return overlap;
}

std::vector<TestExample> test_examples(const ResolvedData& data) {
  std::vector<TestExample> out;
  const std::vector<ExampleKind> kinds = example_kinds(data);
  if (kinds.empty())
    throw usage_error("data set " + data.set.id +
                      ": has no test examples, expected questions, labelled texts or sentences");
  for (const ExampleKind kind : kinds) {
    switch (kind) {
      case ExampleKind::questions:
        for (const KorquadParagraph& paragraph : load_korquad(data).test.paragraphs)
          for (const KorquadQuestion& question : paragraph.questions)
            out.push_back({question.id, paragraph.context});
        break;
      case ExampleKind::labelled:
        for (const LabelledExample& one : load_labelled(data).test)
          out.push_back({one.id, one.pair.empty() ? one.text : one.text + "\n" + one.pair});
        break;
      case ExampleKind::tagged:
        for (const TaggedSentence& one : load_tagged(data).test) out.push_back({one.id, one.text});
        break;
    }
  }
  return out;
}

ExampleOverlap find_overlap(const std::vector<TestExample>& examples,
                            const std::vector<std::string>& texts, double share) {
  TextOverlap overlap;
  for (const TestExample& one : examples) overlap.add(one.text);
  overlap.finish();
  std::vector<bool> seen(overlap.size(), false);
  CorpusReader reader(texts);
  for (Document document; reader.next(&document);)
    for (const std::string& paragraph : document.paragraphs) overlap.mark(paragraph, &seen);
  ExampleOverlap out{examples.size(), {}};
  for (const TestExample& one : examples)
    if (overlap.share(one.text, seen) >= share) out.ids.push_back(one.id);
  return out;
}

}  // namespace minibert
