// The C interface, a thin layer on infer/any_model.h: memory, errors and JSON.
#include "api/minibert.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "infer/any_model.h"
#include "infer/fill_json.h"
#include "infer/particles.h"
#include "infer/written_masks.h"

namespace {

using minibert::infer::AnyModel;
using minibert::infer::kMostAsked;
using minibert::infer::Status;

struct alignas(16) Block {
  uint8_t bytes[16];
};

char* copy_of(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

void tell(const std::string& message, char** error) {
  if (error != nullptr) *error = copy_of(message);
}

// Runs `work`, which returns a result or null with its Status. Nothing is thrown past it: memory may run out.
template <class Result, class Work>
Result* guarded(char** error, const Work& work) {
  if (error != nullptr) *error = nullptr;
  try {
    Status status;
    Result* result = work(&status);
    if (result == nullptr)
      tell(status.ok() ? "there is not enough memory" : status.message(), error);
    return result;
  } catch (const std::exception& exception) {
    tell(exception.what(), error);
  } catch (...) {
    tell("an unknown exception", error);
  }
  return nullptr;
}

char* text_of(const nlohmann::ordered_json& json) {
  return copy_of(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

// Errors: a caller gave NULL as its `name`.
Status check_given(const void* given, const std::string& name, const std::string& expected) {
  if (given != nullptr) return {};
  return Status::error(name + ": found NULL, expected " + expected);
}

Status check_model(const minibert_model* model) {
  return check_given(model, "model", "one that minibert_open() gave");
}

Status check_text(const char* text, const std::string& name = "text") {
  return check_given(text, name, "UTF-8 that ends in a zero byte");
}

// Errors: `top` guesses or answers cannot be asked for.
Status check_top(int top) {
  if (top >= 1 && top <= kMostAsked) return {};
  return Status::error("top: found " + std::to_string(top) + ", expected 1…" +
                       std::to_string(kMostAsked));
}

}  // namespace

struct minibert_model {
  std::vector<Block> file;
  AnyModel any;

  explicit minibert_model(size_t size) : file((size + sizeof(Block) - 1) / sizeof(Block)) {}
  uint8_t* bytes() { return file.empty() ? nullptr : file.data()->bytes; }
};

namespace {

// Takes over the model of a read file; null if it cannot be loaded.
minibert_model* loaded(minibert_model* model, size_t size, const std::string& name,
                       Status* status) {
  *status = model->any.load({model->bytes(), size});
  if (status->ok()) return model;
  if (!name.empty()) *status = Status::error(name + ": " + status->message());
  delete model;
  return nullptr;
}

minibert_model* read_model(const char* path, Status* status) {
  const auto fail = [&](const char* what) {
    *status = Status::error(std::string(path) + ": " + what);
    return static_cast<minibert_model*>(nullptr);
  };
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return fail(std::strerror(errno));
  std::string bytes;
  char part[65536];
  for (size_t got; (got = std::fread(part, 1, sizeof part, file)) > 0;) bytes.append(part, got);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return fail("cannot be read");
  auto* model = new minibert_model(bytes.size());
  if (!bytes.empty()) std::memcpy(model->bytes(), bytes.data(), bytes.size());
  return loaded(model, bytes.size(), path, status);
}

// `run` of the model as a Kind, and its result as JSON.
template <class Kind, class Result, class Run>
char* result_of(minibert_model* model, const char* does, char** error, const Run& run) {
  return guarded<char>(error, [&](Status* status) -> char* {
    *status = check_model(model);
    if (!status->ok()) return nullptr;
    Kind* kind = model->any.as<Kind>(does, status);
    if (kind == nullptr) return nullptr;
    Result result;
    *status = run(*kind, &result);
    return status->ok() ? text_of(to_json(result)) : nullptr;
  });
}

}  // namespace

using namespace minibert::infer;

int minibert_api_version(void) { return MINIBERT_API_VERSION; }
const char* minibert_version(void) { return MINIBERT_VERSION; }

minibert_model* minibert_open(const char* path, char** error) {
  return guarded<minibert_model>(error, [&](Status* status) -> minibert_model* {
    *status = check_given(path, "path", "the name of a model file");
    return status->ok() ? read_model(path, status) : nullptr;
  });
}

minibert_model* minibert_open_bytes(const void* bytes, size_t size, char** error) {
  return guarded<minibert_model>(error, [&](Status* status) -> minibert_model* {
    if (size > 0) *status = check_given(bytes, "bytes", std::to_string(size) + " bytes");
    if (!status->ok()) return nullptr;
    auto* model = new minibert_model(size);
    if (size > 0) std::memcpy(model->bytes(), bytes, size);
    return loaded(model, size, "", status);
  });
}

void minibert_close(minibert_model* model) { delete model; }
void minibert_free(char* text) { std::free(text); }

const char* minibert_task(const minibert_model* model) {
  return model == nullptr ? nullptr : model->any.task().data();
}

char* minibert_facts(minibert_model* model, char** error) {
  return guarded<char>(error, [&](Status* status) -> char* {
    *status = check_model(model);
    if (!status->ok()) return nullptr;
    return text_of(facts_json(model->any.model(), model->any.kernel()));
  });
}

char* minibert_fill(minibert_model* model, const char* text, int top, char** error) {
  return result_of<FillMask, FillResult>(
      model, "fills masks", error, [&](FillMask& one, FillResult* result) {
        Status status = check_text(text);
        if (status.ok()) status = check_top(top);
        return status.ok() ? fill_written(one, text, static_cast<size_t>(top), result) : status;
      });
}

char* minibert_answer(minibert_model* model, const char* question, const char* context, int top,
                      char** error) {
  return result_of<Answerer, AnswerResult>(
      model, "answers questions", error, [&](Answerer& one, AnswerResult* result) {
        Status status = check_text(question, "question");
        if (status.ok()) status = check_text(context, "context");
        if (status.ok()) status = check_top(top);
        if (!status.ok()) return status;
        return answer_without_particles(one, question, context, static_cast<size_t>(top), result);
      });
}

char* minibert_classify(minibert_model* model, const char* text, const char* second, int words,
                        char** error) {
  return result_of<Classifier, ClassifyResult>(
      model, "labels texts", error, [&](Classifier& one, ClassifyResult* result) {
        const Status status = check_text(text);
        if (!status.ok()) return status;
        return one.classify(text, second == nullptr ? "" : second, words != 0, result);
      });
}

char* minibert_tag(minibert_model* model, const char* text, char** error) {
  return result_of<Tagger, TagResult>(
      model, "marks names", error, [&](Tagger& one, TagResult* result) {
        const Status status = check_text(text);
        return status.ok() ? tag_without_particles(one, text, result) : status;
      });
}

char* minibert_tokenize(minibert_model* model, const char* text, char** error) {
  return guarded<char>(error, [&](Status* status) -> char* {
    *status = check_model(model);
    if (status->ok()) *status = check_text(text);
    if (!status->ok()) return nullptr;
    std::vector<Token> tokens;
    *status = model->any.tokenize(text, &tokens);
    return status->ok() ? text_of(to_json(tokens)) : nullptr;
  });
}
