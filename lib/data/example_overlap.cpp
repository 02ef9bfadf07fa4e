#include "data/example_overlap.h"

#include <algorithm>

#include "core/error.h"
#include "data/corpus.h"
#include "data/labelled_data.h"
#include "data/questions/splits.h"
#include "data/tagged_data.h"
#include "data/text_overlap.h"

namespace minibert {

std::vector<TestExample> test_examples(const ResolvedData& data) {
  const auto has = [&](std::string_view kind) {
    return std::ranges::any_of(data.set.files, [&](const DataFile& f) { return f.kind == kind; });
  };
  std::vector<TestExample> out;
  if (has("korquad")) {
    for (const KorquadParagraph& paragraph : load_korquad(data).test.paragraphs)
      for (const KorquadQuestion& question : paragraph.questions)
        out.push_back({question.id, paragraph.context});
  } else if (has("table")) {
    for (const LabelledExample& one : load_labelled(data).test)
      out.push_back({one.id, one.pair.empty() ? one.text : one.text + "\n" + one.pair});
  } else if (has("tags")) {
    for (const TaggedSentence& one : load_tagged(data).test) out.push_back({one.id, one.text});
  } else {
    throw usage_error("data set " + data.set.id +
                      ": has no test examples, expected questions, labelled texts or sentences");
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
