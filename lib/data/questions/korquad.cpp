// Reads JSON of KorQuAD and SQuAD.
#include "data/questions/korquad.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "data/files/text_encoding.h"
#include "text/python_text.h"

namespace minibert {
namespace {

using nlohmann::json;

// A JSON value and where it stands, so that a wrong one can be named.
class Node {
 public:
  Node(const json& value, const std::string& file, std::string path)
      : value_(value), file_(file), path_(std::move(path)) {}

  Node at(const char* key) const {
    if (!value_.is_object()) fail("an object");
    const auto found = value_.find(key);
    const std::string path = path_.empty() ? key : path_ + "." + key;
    if (found == value_.end()) throw Error(file_ + ": " + path + ": missing");
    return Node(*found, file_, path);
  }
  Node at(size_t index) const {
    return Node(value_[index], file_, path_ + "[" + std::to_string(index) + "]");
  }
  bool has(const char* key) const { return value_.is_object() && value_.contains(key); }
  // It has the key, and not null behind it.
  bool says(const char* key) const { return has(key) && !value_.at(key).is_null(); }
  bool is_list() const { return value_.is_array(); }
  bool is_object() const { return value_.is_object(); }
  size_t list_size() const {
    if (!value_.is_array()) fail("a list");
    return value_.size();
  }
  // Annotation tools write ids as either.
  std::string string_or_integer() const {
    return value_.is_number_integer() ? std::to_string(value_.get<int64_t>()) : string();
  }
  bool is_true() const { return value_.is_boolean() && value_.get<bool>(); }
  const std::string& string() const {
    if (!value_.is_string()) fail("a string");
    return value_.get_ref<const std::string&>();
  }
  int64_t integer() const {
    if (!value_.is_number_integer()) fail("an integer");
    return value_.get<int64_t>();
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw Error(file_ + ": " + (path_.empty() ? "top level" : path_) + ": found " +
                value_.type_name() + ", expected " + expected);
  }
  const json& value_;
  const std::string& file_;
  std::string path_;
};

// The treatment of a question without an answer.
enum class Unanswered { refused, left_out, kept };

// SQuAD's list of answers, or the one of KorQuAD 2 and AI-Hub.
std::vector<Node> answers_of(const Node& question) {
  if (!question.has("answers") && question.has("answer")) return {question.at("answer")};
  const Node list = question.at("answers");
  if (list.is_object()) return {list};
  std::vector<Node> out;
  for (size_t i = 0; i < list.list_size(); ++i) out.push_back(list.at(i));
  return out;
}

// Gives the answer its first place in the context. False: it stands nowhere there.
bool place_first(const std::string& context, KorquadQuestion* question) {
  question->answer = std::string(strip(question->answer));
  const size_t found = context.find(question->answer);
  if (found == std::string::npos) return false;
  question->answer_start =
      static_cast<int64_t>(to_code_points(std::string_view(context).substr(0, found)).size());
  return true;
}

// A JSON file, compressed or not, in any encoding of read_decoded().
json parse_text(const std::string& path) {
  const DecodedText decoded = read_decoded(path);
  try {
    return parse_json(decoded.text);
  } catch (const Error& error) {
    throw usage_error(path + ": " + error.what());
  }
}

}  // namespace

std::vector<std::string> KorquadQuestion::answers() const {
  std::vector<std::string> out{answer};
  out.insert(out.end(), alternatives.begin(), alternatives.end());
  return out;
}

size_t KorquadSet::question_count() const {
  size_t count = 0;
  for (const KorquadParagraph& paragraph : paragraphs) count += paragraph.questions.size();
  return count;
}

std::string cluster_of(const KorquadParagraph& paragraph) {
  return paragraph.title.empty() && !paragraph.questions.empty() ? paragraph.questions.front().id
                                                                 : paragraph.title;
}

namespace {

// Reads one file. Files of data sets that the program names (`refused`) have ids and places of answers; others may lack
// them, which is counted.
class SetReader {
 public:
  // `ids_begin`: prefix of ids that are made.
  SetReader(const std::string& path, Unanswered unanswered, std::string ids_begin)
      : path_(path), unanswered_(unanswered), ids_begin_(std::move(ids_begin)) {}

  KorquadSet read() {
    const json document = parse_text(path_);
    const Node root(document, path_, "");
    const Node articles = root.is_list() ? root : root.at("data");
    for (size_t a = 0; a < articles.list_size(); ++a) {
      const Node article = articles.at(a);
      const std::string title = title_of(article), place = std::to_string(a + 1);
      if (!article.has("paragraphs") && article.has("qas")) {  // KorQuAD 2
        read_paragraph(article, title, place);
        continue;
      }
      const Node paragraphs = article.at("paragraphs");
      for (size_t p = 0; p < paragraphs.list_size(); ++p)
        read_paragraph(paragraphs.at(p), title, place + "." + std::to_string(p + 1));
    }
    return std::move(set_);
  }

 private:
  // True: every question states its id, every answer its start.
  struct Said {
    bool id = true, start = true;
  };

  bool is_strict() const { return unanswered_ == Unanswered::refused; }

  // AI-Hub calls it "doc_title".
  std::string title_of(const Node& article) const {
    if (article.has("title")) return article.at("title").string();
    return !is_strict() && article.says("doc_title") ? article.at("doc_title").string() : "";
  }

  // KLUE-MRC calls it "guid", AI-Hub "question_id".
  std::string id_of(const Node& question, const std::string& place, Said* said) const {
    if (is_strict()) return question.at("id").string_or_integer();
    for (const char* key : {"id", "guid", "question_id"})
      if (question.says(key)) return question.at(key).string_or_integer();
    said->id = false;
    return ids_begin_ + place;
  }

  // A question without an answer has an empty one, unless it is refused.
  KorquadQuestion read_question(const Node& node, const std::string& place, Said* said) const {
    KorquadQuestion question{};
    question.id = id_of(node, place, said);
    question.question = node.at("question").string();
    if (!is_strict() && !node.has("answers") && !node.has("answer")) return question;
    for (const Node& answer : answers_of(node)) {
      const std::string& text = answer.at("text").string();
      if (strip(text).empty()) {
        if (is_strict()) throw Error(path_ + ": question " + question.id + ": the answer is empty");
      } else if (question.answer.empty()) {
        question.answer = text;
        said->start = is_strict() || answer.says("answer_start");
        if (said->start) question.answer_start = answer.at("answer_start").integer();
      } else if (text != question.answer && std::ranges::count(question.alternatives, text) == 0) {
        question.alternatives.push_back(text);
      }
    }
    if (is_strict() && question.answer.empty())
      throw Error(path_ + ": question " + question.id + ": found no answer, expected at least one");
    return question;
  }

  void read_paragraph(const Node& node, const std::string& title, const std::string& place) {
    KorquadParagraph paragraph{title, node.at("context").string(), {}, path_};
    const Node questions = node.at("qas");
    const bool kept = unanswered_ == Unanswered::kept;
    for (size_t q = 0; q < questions.list_size(); ++q) {
      const Node question = questions.at(q);
      if (!kept && question.has("is_impossible") && question.at("is_impossible").is_true()) {
        ++set_.unanswerable;
        continue;
      }
      Said said;
      KorquadQuestion read = read_question(question, place + "." + std::to_string(q + 1), &said);
      if (!kept && read.answer.empty()) {
        ++set_.unanswerable;
        continue;
      }
      if (!ids_.insert(read.id).second)
        throw Error(path_ + ": question " + read.id + ": found the id twice");
      if (!kept && !said.start && !place_first(paragraph.context, &read)) {
        if (set_.absent++ == 0) set_.first_absent = read.id;
        continue;
      }
      set_.placed += kept || said.start ? 0 : 1;
      set_.named += said.id ? 0 : 1;
      paragraph.questions.push_back(std::move(read));
    }
    set_.paragraphs.push_back(std::move(paragraph));
  }

  const std::string& path_;
  const Unanswered unanswered_;
  const std::string ids_begin_;
  KorquadSet set_;
  std::unordered_set<std::string> ids_;
};

}  // namespace

std::vector<std::string> KorquadSet::notes() const {
  std::vector<std::string> out;
  const auto tell = [&](size_t count, const std::string& what) {
    if (count > 0) out.push_back(std::to_string(count) + " " + what);
  };
  tell(unanswerable, "questions have no answer: left out");
  tell(named, "questions have no id: named by their places in the file");
  tell(placed, "answers have no answer_start: the first place in the context is used");
  tell(absent,
       "answers without an answer_start are not in their contexts: left out (first question: " +
           first_absent + ")");
  return out;
}

KorquadSet read_korquad(const std::string& path) {
  return SetReader(path, Unanswered::refused, "").read();
}
KorquadSet read_answered_questions(const std::string& path, const std::string& ids_begin) {
  return SetReader(path, Unanswered::left_out, ids_begin).read();
}
KorquadSet read_questions(const std::string& path) {
  return SetReader(path, Unanswered::kept, "").read();
}

bool is_question_file(const std::string& path) {
  const json document = parse_text(path);
  const json* articles = &document;
  if (document.is_object() && document.contains("data")) articles = &document.at("data");
  return articles->is_array() && !articles->empty() && articles->front().is_object() &&
         (articles->front().contains("paragraphs") || articles->front().contains("qas"));
}

std::string wrong_place(std::u32string_view context, const KorquadQuestion& question) {
  const std::u32string answer = to_code_points(question.answer);
  if (join_split(answer).empty()) return "the answer is empty";
  const auto size = static_cast<int64_t>(context.size());
  const auto length = static_cast<int64_t>(answer.size());
  const std::string start = std::to_string(question.answer_start);
  if (question.answer_start < 0 || question.answer_start > size - length)
    return "the answer at " + start + " with " + std::to_string(length) +
           " characters is beyond the context of " + std::to_string(size) + " characters";
  const auto found = context.substr(static_cast<size_t>(question.answer_start), answer.size());
  if (found == answer) return "";
  return "answer_start " + start + " gives \"" + to_utf8(found) + "\", expected the answer \"" +
         question.answer + "\"";
}

}  // namespace minibert
