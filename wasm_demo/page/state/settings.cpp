// Writing and reading the address' fragment.
#include "state/settings.h"

#include <array>
#include <charconv>
#include <optional>

#include "core/utf8.h"

namespace minibert::page {
namespace {

// Far more than a model reads; web/link.js makes long links shorter.
constexpr size_t kMaxText = 1 << 20;
constexpr int kMaxIndex = 95;

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

std::optional<int> index(std::string_view text, int low) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < low || value > kMaxIndex) return std::nullopt;
  return value;
}

constexpr std::array<std::string_view, 5> kViews = {"attention", "explain", "tokens", "timing",
                                                    "model"};
static_assert(kViews.size() == static_cast<size_t>(View::count), "a name for every view");

constexpr std::array<std::string_view, 4> kTasks = {"masks", "answers", "labels", "names"};
static_assert(kTasks.size() == static_cast<size_t>(Task::count), "a name for every task");

void apply(std::string_view key, const std::string& value, Settings* settings) {
  if (key == "t" && value.size() <= kMaxText) settings->text = value;
  if (key == "x" && value.size() <= kMaxText && settings->exercises.size() < kMostExercises)
    settings->exercises.push_back(value);
  if (key == "q" && value.size() <= kMaxText) settings->question = value;
  if (key == "p" && value.size() <= kMaxText) settings->text_asked = value;
  if (key == "r" && value.size() <= kMaxText) settings->review = value;
  if (key == "n" && value.size() <= kMaxText) settings->named = value;
  if (key == "ask" && value == "1") settings->task = Task::ask;
  for (const Task task : {Task::label, Task::name})
    if (key == "task" && value == task_name(task)) settings->task = task;
  if (key == "a") settings->answer_model = value;
  if (key == "lm") settings->label_model = value;
  if (key == "nm") settings->name_model = value;
  if (key == "m") settings->model = value;
  if (key == "c") settings->compare = value;
  if (key == "l" && value == "ko") settings->language = Language::korean;
  if (key == "l" && value == "en") settings->language = Language::english;
  if (key == "theme" && value == "light") settings->theme = Theme::light;
  if (key == "theme" && value == "dark") settings->theme = Theme::dark;
  for (size_t i = 0; i < kViews.size(); ++i)
    if (key == "v" && value == kViews[i]) settings->view = static_cast<View>(i);
  for (const int top : kTops)
    if (key == "k" && value == std::to_string(top)) settings->top = top;
  if (key == "words") settings->words = value == "1";
  if (key == "lesson") settings->lesson = value == "1";
  if (key == "layer") settings->layer = index(value, 0).value_or(settings->layer);
  if (key == "head") settings->head = index(value, kMeanHead).value_or(settings->head);
}

}  // namespace

std::string_view task_name(Task task) { return kTasks[static_cast<size_t>(task)]; }

std::string& Settings::model_of(Task of) {
  return of == Task::ask     ? answer_model
         : of == Task::label ? label_model
         : of == Task::name  ? name_model
                             : model;
}

std::string_view view_name(View view) { return kViews[static_cast<size_t>(view)]; }

std::string to_fragment(const Settings& settings) {
  std::string out = "t=" + percent_encode(settings.text);
  for (const std::string& exercise : settings.exercises) out += "&x=" + percent_encode(exercise);
  if (settings.task == Task::ask) {
    out += "&ask=1&q=" + percent_encode(settings.question);
    out += "&p=" + percent_encode(settings.text_asked);
    if (!settings.answer_model.empty()) out += "&a=" + percent_encode(settings.answer_model);
  }
  if (settings.task == Task::label) {
    out += "&task=labels&r=" + percent_encode(settings.review);
    if (!settings.label_model.empty()) out += "&lm=" + percent_encode(settings.label_model);
  }
  if (settings.task == Task::name) {
    out += "&task=names&n=" + percent_encode(settings.named);
    if (!settings.name_model.empty()) out += "&nm=" + percent_encode(settings.name_model);
  }
  if (!settings.model.empty()) out += "&m=" + percent_encode(settings.model);
  if (!settings.compare.empty()) out += "&c=" + percent_encode(settings.compare);
  out += settings.language == Language::korean ? "&l=ko" : "&l=en";
  if (settings.theme) out += *settings.theme == Theme::light ? "&theme=light" : "&theme=dark";
  out += "&v=" + std::string(view_name(settings.view));
  if (settings.top != Settings().top) out += "&k=" + std::to_string(settings.top);
  if (settings.words) out += "&words=1";
  if (settings.lesson) out += "&lesson=1";
  out += "&layer=" + std::to_string(settings.layer) + "&head=" + std::to_string(settings.head);
  return out;
}

Settings from_fragment(std::string_view fragment, const Settings& defaults) {
  Settings settings = defaults;
  // A link leaves these out where they are as at first.
  settings.exercises.clear();
  settings.top = Settings().top;
  settings.words = settings.lesson = false;
  settings.task = Task::fill;
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
