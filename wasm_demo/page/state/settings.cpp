// Writing and reading the address' fragment.
#include "state/settings.h"

#include <charconv>

#include "core/utf8.h"

namespace minibert::page {
namespace {

// Far more than a model reads; web/link.js makes long links shorter.
constexpr size_t kMaxText = 1 << 20;
constexpr int kMaxIndex = 95;
constexpr int kMaxPosition = 9999;

std::string percent_encode(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const unsigned char c : text) {
    const bool unreserved = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                            (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.' || c == '~';
    if (unreserved) {
      out += static_cast<char>(c);
    } else {
      out += '%';
      out += kHex[c >> 4];
      out += kHex[c & 15];
    }
  }
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (first_invalid_utf8(out) != kValid) return std::nullopt;
  return out;
}

std::optional<int> index(std::string_view text, int low, int high = kMaxIndex) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < low || value > high) return std::nullopt;
  return value;
}

// The position of a piece in a text.
std::optional<int> position(std::string_view text) { return index(text, 0, kMaxPosition); }

void apply(std::string_view key, const std::string& value, Settings* settings) {
  if (key.empty()) return;
  for (size_t i = 0; i < settings->tabs.size(); ++i) {
    TabSettings& tab = settings->tabs[i];
    for (size_t k = 0; k < tab.texts.size(); ++k)
      if (key == tab.link->texts[k] && value.size() <= kMaxText) tab.texts[k] = value;
    if (key == tab.link->model) tab.model = value;
    if (i > 0 && std::string(key) + "=" + value == tab.link->pair) settings->chosen = i;
  }
  if (key == "x" && value.size() <= kMaxText && settings->exercises.size() < kMostExercises)
    settings->exercises.push_back(value);
  if (key == "c") settings->compare = value;
  if (key == "l" && value == "ko") settings->language = Language::korean;
  if (key == "l" && value == "en") settings->language = Language::english;
  if (key == "theme" && value == "light") settings->theme = Theme::light;
  if (key == "theme" && value == "dark") settings->theme = Theme::dark;
  if (key == "v") settings->view = find_named<View>(kViewNames, value).value_or(settings->view);
  for (const int top : kTops)
    if (key == "k" && value == std::to_string(top)) settings->top = top;
  if (key == "words") settings->words = value == "1";
  if (key == "lesson") settings->lesson = value == "1";
  ExplainState& state = settings->explain;
  if (key == "xmask") state.mask = index(value, 0).value_or(state.mask);
  if (key == "xpart") state.part = index(value, 1, kParts).value_or(state.part + 1) - 1;
  if (key == "xhead") state.head = index(value, 0).value_or(state.head);
  if (key == "xown") state.own = value == "1";
  ChangeState& change = state.change;
  if (Intervention off; key == "xoff" && read_parts(value, &off)) change.off = written(off);
  if (key == "share") settings->share = index(value, 0, kWholeTraining).value_or(settings->share);
  if (key == "xother" && value.size() <= kMaxText) change.other = value;
  if (key == "xlayer") change.stage = index(value, 0).value_or(change.stage);
  if (key == "xat") change.at = position(value).value_or(change.at);
}

}  // namespace

std::string to_fragment(const Settings& settings) {
  std::string out;
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!out.empty()) out += '&';
    out += std::string(key) + "=" + percent_encode(value);
  };
  const auto add_texts = [&](const TabSettings& tab) {
    for (size_t i = 0; i < tab.texts.size(); ++i)
      if (!tab.link->texts[i].empty()) add(tab.link->texts[i], tab.texts[i]);
  };
  const auto add_model = [&](const TabSettings& tab) {
    if (!tab.model.empty()) add(tab.link->model, tab.model);
  };
  add_texts(settings.tabs.front());
  for (const std::string& exercise : settings.exercises) add("x", exercise);
  if (settings.chosen > 0) {
    out += "&" + std::string(settings.tab().link->pair);
    add_texts(settings.tab());
    add_model(settings.tab());
  }
  add_model(settings.tabs.front());
  if (!settings.compare.empty()) add("c", settings.compare);
  out += settings.language == Language::korean ? "&l=ko" : "&l=en";
  if (settings.theme) out += *settings.theme == Theme::light ? "&theme=light" : "&theme=dark";
  if (settings.view != View::sentence) out += "&v=" + std::string(name_of(settings.view));
  if (settings.top != Settings().top) out += "&k=" + std::to_string(settings.top);
  if (settings.words) out += "&words=1";
  if (settings.lesson) out += "&lesson=1";
  if (settings.view == View::training && settings.share != kWholeTraining)
    out += "&share=" + std::to_string(settings.share);
  if (settings.view == View::explain) {
    const ExplainState &state = settings.explain, first;
    if (state.part != first.part) out += "&xpart=" + std::to_string(state.part + 1);
    if (state.mask != first.mask) out += "&xmask=" + std::to_string(state.mask);
    if (state.head != first.head) out += "&xhead=" + std::to_string(state.head);
    if (state.own) out += "&xown=1";
    const ChangeState &change = state.change, none;
    if (!change.off.empty()) add("xoff", change.off);
    if (!change.other.empty()) add("xother", change.other);
    if (change.stage != none.stage) out += "&xlayer=" + std::to_string(change.stage);
    if (change.at != none.at) out += "&xat=" + std::to_string(change.at);
  }
  return out;
}

Settings from_fragment(std::string_view fragment, const Settings& defaults) {
  Settings settings;
  settings.tabs = defaults.tabs;
  for (TabSettings& tab : settings.tabs) tab.model.clear();
  settings.language = defaults.language;
  settings.theme = defaults.theme;
  if (!fragment.empty() && fragment.front() == '#') fragment.remove_prefix(1);
  while (!fragment.empty()) {
    const size_t end = fragment.find('&');
    const std::string_view pair = fragment.substr(0, end);
    fragment = end == std::string_view::npos ? std::string_view() : fragment.substr(end + 1);
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    if (const auto value = percent_decode(pair.substr(equals + 1)))
      apply(pair.substr(0, equals), *value, &settings);
  }
  return settings;
}

}  // namespace minibert::page
