// Which columns of a table hold what, where nobody names them: those that are called by a usual name.
#pragma once

#include <string>

#include "data/files/file_source.h"
#include "data/files/table.h"

namespace minibert {

// `layout` with the columns it does not name filled in by the usual names, in capital or small letters (A to Z):
// * text: text, sentence, sentence1, premise, document, review, 텍스트, 문장, 문장1, 전제, 리뷰
// * pair (not beside choices): pair, sentence2, hypothesis, 문장2, 가설
// * label (not beside columns of labels): label, labels, 라벨, 레이블
// * group: group, 그룹
// Throws a usage Error in one line: a column that is named and not there; two columns with usual names of one kind.
TableLayout with_usual_columns(const FileTable& table, const TableLayout& layout);

// The same, with a text and a label: throws a usage Error where one lacks, with the columns and what --column would say.
TableLayout find_columns(const FileTable& table, const TableLayout& layout);

// "text 문장, label 라벨", for people.
std::string described(const TableLayout& layout);

}  // namespace minibert
