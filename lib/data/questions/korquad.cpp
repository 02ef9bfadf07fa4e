// Reads JSON of KorQuAD and SQuAD.
#include "data/questions/korquad.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/error.h"
#include "core/files.h"
#include "data/tables/text_encoding.h"

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

enum class Answers { needed, optional };

KorquadQuestion read_question(const Node& node, const std::string& file, Answers wanted) {
  KorquadQuestion question{};
  question.id = node.at("id").string_or_integer();
  question.question = node.at("question").string();
  const bool answered =
      node.has("answers") ? node.at("answers").list_size() > 0 : node.has("answer");
  if (wanted == Answers::optional && !answered) return question;
  if (!node.has("answers") && node.has("answer")) {  // KorQuAD 2
    question.answer = node.at("answer").at("text").string();
    question.answer_start = node.at("answer").at("answer_start").integer();
    if (question.answer.empty())
      throw Error(file + ": question " + question.id + ": the answer is empty");
    return question;
  }
  const Node answers = node.at("answers");
  const size_t count = answers.list_size();
  if (count == 0)
    throw Error(file + ": question " + question.id + ": found no answer, expected at least one");
  question.answer = answers.at(size_t{0}).at("text").string();
  question.answer_start = answers.at(size_t{0}).at("answer_start").integer();
  for (size_t i = 1; i < count; ++i) {
    const std::string& other = answers.at(i).at("text").string();
    if (other != question.answer && std::ranges::count(question.alternatives, other) == 0)
      question.alternatives.push_back(other);
  }
  if (question.answer.empty() || std::ranges::count(question.alternatives, "") > 0)
    throw Error(file + ": question " + question.id + ": the answer is empty");
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

KorquadSet read_set(const std::string& path, Answers wanted) {
  const json document = parse_text(path);
  KorquadSet set;
  set.source = path;
  std::unordered_set<std::string> ids;
  const auto read_paragraph = [&](const Node& node, const std::string& title) {
    KorquadParagraph paragraph{title, node.at("context").string(), {}};
    const Node questions = node.at("qas");
    for (size_t q = 0; q < questions.list_size(); ++q) {
      const Node question = questions.at(q);
      if (wanted == Answers::needed && question.has("is_impossible") &&
          question.at("is_impossible").is_true()) {
        ++set.unanswerable;
        continue;
      }
      paragraph.questions.push_back(read_question(question, path, wanted));
      if (!ids.insert(paragraph.questions.back().id).second)
        throw Error(path + ": question " + paragraph.questions.back().id + ": the id stands twice");
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

KorquadSet read_korquad(const std::string& path) { return read_set(path, Answers::needed); }
KorquadSet read_questions(const std::string& path) { return read_set(path, Answers::optional); }

}  // namespace minibert
