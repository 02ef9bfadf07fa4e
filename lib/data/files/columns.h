// Finds a table's columns by their usual names.
#pragma once

#include <string>

#include "data/files/file_source.h"
#include "data/files/table.h"

namespace minibert {

// Returns `layout` with unnamed columns filled in by their usual names, in either case (A to Z):
// * text: text, sentence, sentence1, premise, document, review, 텍스트, 문장, 문장1, 전제, 리뷰
// * pair (not beside choices): pair, sentence2, hypothesis, 문장2, 가설
// * label (not beside columns of labels): label, labels, 라벨, 레이블
// * group: group, 그룹
// Throws a usage Error in one line for a named column that is missing and for two usual names of
// one kind.
TableLayout with_usual_columns(const FileTable& table, const TableLayout& layout);

// Does the same for a table that needs a text and a label: throws a usage Error with the columns
// found and the --column to write if one is missing.
TableLayout find_columns(const FileTable& table, const TableLayout& layout);

// Returns "text 문장, label 라벨", for people.
std::string described(const TableLayout& layout);

}  // namespace minibert
