// The C interface as a class: frees what it is given, throws std::runtime_error with its one line, and where a text
// has a zero byte in it, at which C would end it.
#pragma once

#include <minibert.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace minibert {

class Engine {
 public:
  explicit Engine(const std::string& path) : model_(nullptr, minibert_close) {
    char* error = nullptr;
    model_.reset(minibert_open(c_text(path), &error));
    if (!model_) fail(error);
  }

  std::string task() const {
    const char* found = minibert_task(model_.get());
    if (found == nullptr) throw std::runtime_error("model: found NULL, expected one not moved");
    return found;
  }
  // JSON texts, as minibert.h tells.
  std::string facts() { return call(minibert_facts); }
  std::string fill(const std::string& text, int top = 5) {
    return call(minibert_fill, c_text(text), top);
  }
  std::string answer(const std::string& question, const std::string& context, int top = 1) {
    return call(minibert_answer, c_text(question), c_text(context), top);
  }
  std::string classify(const std::string& text, const std::string& second = "",
                       bool words = false) {
    return call(minibert_classify, c_text(text), c_text(second), words ? 1 : 0);
  }
  std::string tag(const std::string& text) { return call(minibert_tag, c_text(text)); }
  std::string tokenize(const std::string& text) { return call(minibert_tokenize, c_text(text)); }

 private:
  static const char* c_text(const std::string& text) {
    if (text.find('\0') != std::string::npos)
      throw std::runtime_error("the text has a zero byte in it");
    return text.c_str();
  }
  [[noreturn]] static void fail(char* error) {
    const std::string message = error == nullptr ? "there is not enough memory" : error;
    minibert_free(error);
    throw std::runtime_error(message);
  }
  template <class Function, class... Arguments>
  std::string call(Function function, Arguments... arguments) {
    char* error = nullptr;
    const std::unique_ptr<char, void (*)(char*)> text(function(model_.get(), arguments..., &error),
                                                      minibert_free);
    if (!text) fail(error);
    return text.get();
  }

  std::unique_ptr<minibert_model, void (*)(minibert_model*)> model_;
};

}  // namespace minibert
