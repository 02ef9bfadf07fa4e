#include "data/tables/usual_columns.h"

#include <algorithm>
#include <initializer_list>

#include "core/text.h"

namespace minibert {
namespace {

using Names = std::vector<std::string_view>;

// Of JSON's nested keys the last: "data.text" is "text".
std::string_view last_key(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

// What a program proposes to people who label: "label.suggestion", "label-suggestion-metadata.score" of Argilla.
bool is_suggested(std::string_view name) {
  return name.find(".suggestion") != std::string_view::npos ||
         name.find("-suggestion") != std::string_view::npos;
}

Names with_more(Names names, std::initializer_list<std::string_view> more) {
  names.insert(names.end(), more);
  return names;
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string out = small_letters(name);
  std::erase(out, ' ');
  return out;
}

const Names& usual_text_columns() {
  static const Names names = {"text",     "sentence", "document",  "review", "comment",
                              "comments", "content",  "utterance", "문장",   "텍스트",
                              "본문",     "내용",     "리뷰",      "댓글",   "글",
                              "발화",     "감상",     "후기",      "title",  "제목"};
  return names;
}
const Names& usual_first_columns() {
  static const Names names = {"sentence1", "premise", "text1", "question1",
                              "문장1",     "전제",    "text_a"};
  return names;
}
const Names& usual_second_columns() {
  static const Names names = {"sentence2", "hypothesis", "text2", "question2",
                              "문장2",     "가설",       "text_b"};
  return names;
}
const Names& usual_label_columns() {
  static const Names names = {
      "label",   "labels", "gold_label",   "class", "category",  "target", "score",
      "rating",  "라벨",   "레이블",       "분류",  "범주",      "평점",   "점수",
      "감정",    "감성",   "labels.label", "평가",  "choices",   "별점",   "sentiment",
      "emotion", "intent", "정서",         "의도",  "annotation"};
  return names;
}
const Names& usual_group_columns() {
  static const Names names = {"group", "group_id", "cluster", "그룹", "묶음"};
  return names;
}
const Names& usual_question_columns() {
  static const Names names = {"question", "query", "질문", "문제", "문항"};
  return names;
}
const Names& usual_context_columns() {
  static const Names names = {"context", "passage", "paragraph", "article",
                              "지문",    "본문",    "문맥",      "기사"};
  return names;
}
const Names& usual_answer_columns() {
  static const Names names = {"answer", "answer_text", "answers.text", "answer.text",
                              "답",     "정답",        "답변"};
  return names;
}

const Names& sure_label_columns() {
  static const Names names = {"label", "labels", "gold_label", "라벨", "레이블"};
  return names;
}
const Names& usual_title_columns() {
  static const Names names = {"title", "제목"};
  return names;
}
const Names& usual_asked_columns() {
  static const Names names = with_more(usual_question_columns(), {"발문", "stem"});
  return names;
}
const Names& usual_right_columns() {
  static const Names names = with_more(usual_answer_columns(), {"answerkey", "정답번호"});
  return names;
}
const std::vector<std::pair<std::string_view, std::string_view>>& usual_pair_columns() {
  static const std::vector<std::pair<std::string_view, std::string_view>> names = {
      {"sent1", "sent2"}, {"q", "a"}};
  return names;
}
const Names& usual_split_columns() {
  static const Names names = {"split", "fold", "subset", "partition", "분할"};
  return names;
}
const Names& usual_word_columns() {
  static const Names names = {"word", "words", "token",  "tokens", "form", "text", "char",
                              "단어", "어절",  "형태소", "토큰",   "글자", "음절"};
  return names;
}
const Names& usual_tag_columns() {
  static const Names names = {"tag", "tags", "label", "labels", "ner",   "ner_tag",
                              "bio", "태그", "라벨",  "레이블", "개체명"};
  return names;
}
const Names& usual_sentence_columns() {
  static const Names names = {"sentence#", "sentence", "sentence_id", "sent_id",
                              "문장",      "문장번호", "문장id"};
  return names;
}
const Names& usual_word_list_columns() {
  static const Names names = {"tokens", "words"};
  return names;
}
const Names& usual_tag_list_columns() {
  static const Names names = {"tags", "ner_tags", "labels", "pos_tags"};
  return names;
}

bool is_called(std::string_view name, const Names& usual) {
  return std::ranges::find(usual, plain_name(name)) != usual.end();
}

bool is_usual_column(std::string_view name) {
  for (const Names* names :
       {&usual_text_columns(), &usual_first_columns(), &usual_second_columns(),
        &usual_label_columns(), &usual_group_columns(), &usual_question_columns(),
        &usual_context_columns(), &usual_answer_columns()})
    if (is_called(name, *names)) return true;
  return false;
}

std::string usual_among(const Names& usual, const std::vector<std::string>& columns) {
  for (const std::string_view name : usual)
    for (const std::string& column : columns)
      if (plain_name(column) == name) return column;
  for (const std::string_view name : usual)
    for (const std::string& column : columns)
      if (plain_name(last_key(column)) == name && !is_suggested(column)) return column;
  // "Review Text", "감정 라벨": the only column whose last word is such a name.
  std::string found;
  for (const std::string& column : columns) {
    const size_t end = column.find_last_of(" _-");
    if (end == std::string::npos || !is_called(std::string_view(column).substr(end + 1), usual))
      continue;
    if (!found.empty()) return "";
    found = column;
  }
  return found;
}

bool is_score_column(std::string_view name) {
  static const Names names = {"score", "scores", "rating", "stars", "점수", "평점", "별점"};
  return is_called(last_key(name), names);
}

bool is_of_no_example(std::string_view name) {
  static const Names names = {
      "id",         "번호",          "no",         "index",       "idx",
      "timestamp",  "annotation_id", "annotator",  "annotations", "created_at",
      "updated_at", "completed_by",  "lead_time",  "file_upload", "guid",
      "uuid",       "url",           "date",       "datetime",    "날짜",
      "일자",       "작성일",        "타임스탬프", "학번",        "학년",
      "연락처",     "이메일",        "email"};
  // Forms ask "이름을 적어 주세요".
  return is_called(last_key(name), names) || is_suggested(name) || name.starts_with("이름") ||
         name.starts_with("성명");
}

}  // namespace minibert
