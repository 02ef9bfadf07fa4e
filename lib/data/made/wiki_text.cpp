#include "data/made/wiki_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/text.h"
#include "core/utf8.h"

namespace minibert {
namespace {

constexpr std::array<std::string_view, 12> kDroppedTags = {
    "ref",    "gallery",         "math", "chem", "timeline",      "score", "table",
    "source", "syntaxhighlight", "code", "pre",  "templatestyles"};

constexpr std::array<std::string_view, 10> kDroppedLinks = {
    "파일", "그림", "미디어", "분류", "file", "image", "media", "category", "wikipedia", "틀"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Position behind the `close` that belongs to the `open` at `at`; the end where there is none.
size_t skip_nested(std::string_view text, size_t at, std::string_view open,
                   std::string_view close) {
  int depth = 0;
  while (at < text.size()) {
    if (text.substr(at).starts_with(open)) {
      ++depth;
      at += open.size();
    } else if (text.substr(at).starts_with(close)) {
      at += close.size();
      if (--depth == 0) return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

struct Tag {
  std::string name;
  bool closing = false, empty = false;  // </x>, <x/>
  size_t end = 0;                       // behind its '>'
};

// The tag at text[at] == '<'; none where it is a plain less-than sign.
std::optional<Tag> tag_at(std::string_view text, size_t at) {
  Tag tag;
  size_t i = at + 1;
  if (i < text.size() && text[i] == '/') tag.closing = true, ++i;
  const size_t begin = i;
  while (i < text.size() && is_letter(text[i])) ++i;
  if (i == begin) return std::nullopt;
  tag.name = small_letters(text.substr(begin, i - begin));
  const size_t close = text.find_first_of("<>", i);
  if (close == std::string_view::npos || text[close] == '<') return std::nullopt;
  tag.empty = text[close - 1] == '/';
  tag.end = close + 1;
  return tag;
}

// Position behind </name>, searched from `at`; the end where there is none.
size_t skip_element(std::string_view text, size_t at, const std::string& name) {
  for (at = text.find('<', at); at != std::string_view::npos; at = text.find('<', at + 1))
    if (const auto tag = tag_at(text, at); tag && tag->closing && tag->name == name)
      return tag->end;
  return text.size();
}

std::string decoded(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
      {"amp", "&"},   {"lt", "<"},     {"gt", ">"},     {"quot", "\""}, {"nbsp", " "},
      {"ndash", "–"}, {"mdash", "—"},  {"middot", "·"}, {"times", "×"}, {"hellip", "…"},
      {"lsquo", "‘"}, {"rsquo", "’"},  {"ldquo", "“"},  {"rdquo", "”"}, {"minus", "−"},
      {"deg", "°"},   {"thinsp", " "}, {"ensp", " "},   {"emsp", " "},  {"apos", "'"}};
  constexpr size_t kLongestEntity = 10;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t end =
        text[i] == '&' ? text.substr(0, i + kLongestEntity).find(';', i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out += text[i];
      continue;
    }
    const std::string_view name = text.substr(i + 1, end - i - 1);
    const auto* named = std::ranges::find(kNamed, name, [](const auto& one) { return one.first; });
    if (named != std::end(kNamed)) {
      out += named->second;
    } else if (name.starts_with('#') && name.size() > 1) {
      const bool hex = name[1] == 'x' || name[1] == 'X';
      uint32_t value = 0;
      bool valid = name.size() > (hex ? 2u : 1u);
      for (const char c : name.substr(hex ? 2 : 1)) {
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : 99;
        valid = valid && digit < (hex ? 16 : 10);
        value = value * (hex ? 16 : 10) + static_cast<uint32_t>(digit);
      }
      valid = valid && value >= 0x20 && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
      if (valid) out += to_utf8(std::u32string(1, value));
    } else {
      out += text[i];
      continue;
    }
    i = end;
  }
  return out;
}

// "파일", "en" and so on before a link's first colon, for links that show no text.
bool is_dropped_link(std::string_view target) {
  const size_t colon = target.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string space = small_letters(trimmed(target.substr(0, colon)));
  if (std::ranges::find(kDroppedLinks, space) != kDroppedLinks.end()) return true;
  // Language codes: "en", "zh-yue"; a title with a colon is longer or has other letters.
  return space.size() >= 2 && space.size() <= 3 && std::ranges::all_of(space, is_letter);
}

class Cleaner {
 public:
  explicit Cleaner(std::string_view text) : text_(text) {}

  // The text without markup within lines; line structure stays.
  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  bool here(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void step() {
    if (here("<!--")) {
      const size_t end = text_.find("-->", at_);
      at_ = end == std::string_view::npos ? text_.size() : end + 3;
    } else if (here("{{")) {
      at_ = skip_nested(text_, at_, "{{", "}}");
    } else if (here("{|")) {
      at_ = skip_nested(text_, at_, "{|", "|}");
    } else if (here("[[")) {
      link();
    } else if (here("[http://") || here("[https://") || here("[//")) {
      external();
    } else if (here("''")) {
      while (at_ < text_.size() && text_[at_] == '\'') ++at_;
    } else if (here("__") && word_length() > 0) {
      at_ += word_length();
    } else if (text_[at_] == '<') {
      tag();
    } else {
      out_ += text_[at_++];
    }
  }

  // How long a "__TOC__" or the like is that stands here, else 0.
  size_t word_length() const {
    size_t i = at_ + 2;
    while (i < text_.size() && (is_letter(text_[i]) || (text_[i] & 0x80) != 0)) ++i;
    return i > at_ + 2 && text_.substr(i).starts_with("__") ? i + 2 - at_ : 0;
  }

  void link() {
    const size_t end = skip_nested(text_, at_, "[[", "]]");
    const bool closed = text_.substr(0, end).ends_with("]]");
    const std::string_view inside = text_.substr(at_ + 2, end - at_ - (closed ? 4 : 2));
    at_ = end;
    if (is_dropped_link(inside)) return;
    const size_t bar = inside.find('|');
    std::string_view shown = bar == std::string_view::npos ? inside : inside.substr(bar + 1);
    if (shown.starts_with(':')) shown.remove_prefix(1);
    // Links do not nest but in files' captions, which are gone: the depth here is one.
    out_ += Cleaner(shown.find("[[") == std::string_view::npos ? shown : std::string_view()).run();
  }

  void external() {
    // A text with another bracket in it is no link; an unclosed bracket is scanned only once.
    const size_t end = text_.find_first_of("[]\n", at_ + 1);
    const bool closed = end != std::string_view::npos && text_[end] == ']';
    if (!closed) {
      out_ += text_[at_++];
      return;
    }
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (const size_t blank = inside.find(' '); blank != std::string_view::npos)
      out_ += inside.substr(blank + 1);
  }

  void tag() {
    const auto tag = tag_at(text_, at_);
    if (!tag) {
      out_ += text_[at_++];
      return;
    }
    at_ = tag->end;
    if (tag->name == "br") out_ += ' ';
    if (tag->closing || tag->empty) return;
    if (tag->name == "nowiki") {
      const size_t end = skip_element(text_, at_, tag->name);
      const size_t begin_of_close = text_.substr(0, end).rfind('<');
      if (end > at_ && begin_of_close != std::string_view::npos && begin_of_close >= at_)
        out_ += text_.substr(at_, begin_of_close - at_);
      at_ = end;
    } else if (std::ranges::find(kDroppedTags, tag->name) != kDroppedTags.end()) {
      at_ = skip_element(text_, at_, tag->name);
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string out_;
};

// One space for white space, none before a comma; no parentheses without letters or digits.
std::string tidy(std::string_view line) {
  std::string out;
  std::vector<size_t> open;  // parentheses not closed yet
  for (const char c : line) {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (blank && (out.empty() || out.back() == ' ' || out.back() == '(')) continue;
    if ((c == ',' || c == ')') && !out.empty() && out.back() == ' ') out.pop_back();
    if (c == ',' && !out.empty() && out.back() == '(') continue;
    if (c == '(') open.push_back(out.size());
    out += blank ? ' ' : c;
    if (c != ')' || open.empty()) continue;
    const size_t begin = open.back();
    open.pop_back();
    if (out.find_first_not_of("(), ;:-", begin) != std::string::npos) continue;
    out.resize(begin);
    while (!out.empty() && out.back() == ' ') out.pop_back();
  }
  return std::string(trimmed(out));
}

std::optional<std::string> heading(std::string_view line) {
  line = trimmed(line);
  size_t level = 0;
  while (level < line.size() && line[level] == '=') ++level;
  if (level < 1 || line.size() <= 2 * level || !line.ends_with(std::string(level, '=')))
    return std::nullopt;
  return tidy(line.substr(level, line.size() - 2 * level));
}

}  // namespace

std::vector<std::string> wiki_paragraphs(std::string_view text) {
  const std::string plain = decoded(Cleaner(text).run());
  std::vector<std::string> out;
  std::string pending;  // a heading that waits for its first paragraph
  for (size_t begin = 0; begin < plain.size();) {
    const size_t end = std::min(plain.find('\n', begin), plain.size());
    const std::string_view line = std::string_view(plain).substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || std::string_view("*#:;").find(line[0]) != std::string_view::npos ||
        line.starts_with("----"))
      continue;
    if (const auto title = heading(line)) {
      pending = title->empty() ? "" : *title + ".";
      continue;
    }
    std::string paragraph = tidy(line);
    if (paragraph.empty()) continue;
    if (!pending.empty()) out.push_back(std::exchange(pending, ""));
    out.push_back(std::move(paragraph));
  }
  return out;
}

}  // namespace minibert
