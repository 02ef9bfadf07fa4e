// Reads JSON of KorQuAD and SQuAD.
#include "data/questions/korquad.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "data/tables/text_encoding.h"
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
  bool is_list() const { return value_.is_array(); }
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

// What becomes of a question without an answer.
enum class Unanswered { refused, left_out, kept };

// SQuAD's list of answers, or KorQuAD 2's one.
std::vector<Node> answers_of(const Node& question) {
  if (!question.has("answers") && question.has("answer")) return {question.at("answer")};
  const Node list = question.at("answers");
  std::vector<Node> out;
  for (size_t i = 0; i < list.list_size(); ++i) out.push_back(list.at(i));
  return out;
}

// A question without an answer has an empty one, unless it is refused.
KorquadQuestion read_question(const Node& node, const std::string& file, Unanswered unanswered) {
  KorquadQuestion question{};
  question.id = node.at("id").string_or_integer();
  question.question = node.at("question").string();
  const bool refused = unanswered == Unanswered::refused;
  if (!refused && !node.has("answers") && !node.has("answer")) return question;
  for (const Node& answer : answers_of(node)) {
    const std::string& text = answer.at("text").string();
    if (strip(text).empty()) {
      if (refused) throw Error(file + ": question " + question.id + ": the answer is empty");
    } else if (question.answer.empty()) {
      question.answer = text;
      question.answer_start = answer.at("answer_start").integer();
    } else if (text != question.answer && std::ranges::count(question.alternatives, text) == 0) {
      question.alternatives.push_back(text);
    }
  }
  if (refused && question.answer.empty())
    throw Error(file + ": question " + question.id + ": found no answer, expected at least one");
  return question;
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

KorquadSet read_set(const std::string& path, Unanswered unanswered) {
  const json document = parse_text(path);
  KorquadSet set;
  std::unordered_set<std::string> ids;
  const auto read_paragraph = [&](const Node& node, const std::string& title) {
    KorquadParagraph paragraph{title, node.at("context").string(), {}, path};
    const Node questions = node.at("qas");
    for (size_t q = 0; q < questions.list_size(); ++q) {
      const Node question = questions.at(q);
      const bool kept = unanswered == Unanswered::kept;
      if (!kept && question.has("is_impossible") && question.at("is_impossible").is_true()) {
        ++set.unanswerable;
        continue;
      }
      KorquadQuestion read = read_question(question, path, unanswered);
      if (!kept && read.answer.empty()) {
        ++set.unanswerable;
        continue;
      }
      if (!ids.insert(read.id).second)
        throw Error(path + ": question " + read.id + ": the id stands twice");
      paragraph.questions.push_back(std::move(read));
    }
    set.paragraphs.push_back(std::move(paragraph));
  };
  const Node root(document, path, "");
  const Node articles = root.is_list() ? root : root.at("data");
  for (size_t a = 0; a < articles.list_size(); ++a) {
    const Node article = articles.at(a);
    const std::string title = article.has("title") ? article.at("title").string() : "";
    if (!article.has("paragraphs") && article.has("qas")) {  // KorQuAD 2
      read_paragraph(article, title);
      continue;
    }
    const Node paragraphs = article.at("paragraphs");
    for (size_t p = 0; p < paragraphs.list_size(); ++p) read_paragraph(paragraphs.at(p), title);
  }
  return set;
}

}  // namespace

KorquadSet read_korquad(const std::string& path) { return read_set(path, Unanswered::refused); }
KorquadSet read_answered_questions(const std::string& path) {
  return read_set(path, Unanswered::left_out);
}
KorquadSet read_questions(const std::string& path) { return read_set(path, Unanswered::kept); }

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
