/* minibert's engine for other programs: fills masks, answers questions, labels texts and marks names
 * with a model file (.mbq) from `minibert export`. C99, no exceptions; it links only the C library.
 *
 * Texts are UTF-8 and end in a zero byte. Results are JSON in such texts; free them with
 * minibert_free(). A function that fails returns NULL and, unless `error` is NULL, sets *error to one
 * line that tells what was found and what was expected; free it, too. On success *error is NULL. A
 * NULL model, path or text is such an error. Offsets in results count bytes of the text. One thread at
 * a time may use a model; different models may run in parallel. The same file and text give the same
 * bits on every processor. */
#ifndef MINIBERT_H
#define MINIBERT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MINIBERT_API __attribute__((visibility("default")))
#else
#define MINIBERT_API
#endif

/* Increases when a function below changes or goes; it stays when functions or JSON keys are added. */
#define MINIBERT_API_VERSION 1

typedef struct minibert_model minibert_model;

/* The loaded library's MINIBERT_API_VERSION, and its release ("0.2.0"). */
MINIBERT_API int minibert_api_version(void);
MINIBERT_API const char* minibert_version(void);

/* Reads a model file. Fails if it is missing, no .mbq, damaged or of a newer version. */
MINIBERT_API minibert_model* minibert_open(const char* path, char** error);
/* Reads a model from `size` bytes, which it copies. */
MINIBERT_API minibert_model* minibert_open_bytes(const void* bytes, size_t size, char** error);
/* Do nothing for NULL. */
MINIBERT_API void minibert_close(minibert_model* model);
MINIBERT_API void minibert_free(char* text);

/* Returns the model's task: "masks", "answers", "labels" or "names", valid as long as the model. NULL
 * for NULL. */
MINIBERT_API const char* minibert_task(const minibert_model* model);
/* Returns the model's origin, quality and architecture: {"weights", "kernel", "parameters",
 * "file_bytes", "source_run", "source_sha256", "card": [{"name", "heading", "split", "decimals",
 * "value"}], "vocab_size", "d_model", ...}. */
MINIBERT_API char* minibert_facts(minibert_model* model, char** error);

/* Returns the `top` (1 to 1000) best pieces for every [MASK] of the text. In a text without [MASK] the
 * blanks that people write are masks: ___, ( ), [ mask ], <mask>, □, ○○. Of both forms of a particle
 * behind a mask, 을(를), 은/는 or (으)로, the model reads the form that agrees with its guesses.
 * {"tokens", "masks": [{"position", "begin", "end", "guesses": [{"id", "piece", "text",
 *  "probability"}]}], "filled", "timing"}. Fails for another `top`, an empty text, a text without
 * [MASK] and blanks, a text that is too long, and invalid UTF-8. This function and the next three also
 * fail for a model of another task. */
MINIBERT_API char* minibert_fill(minibert_model* model, const char* text, int top, char** error);

/* Returns the `top` (1 to 1000) best answers in the context, which may be of any length. An answer has
 * no Korean particle at its end and holds whole numbers. {"answers": [{"text", "begin", "end",
 * "probability"}], "question_pieces", "context_pieces", "windows", "timing"}. */
MINIBERT_API char* minibert_answer(minibert_model* model, const char* question, const char* context,
                                   int top, char** error);

/* Returns {"labels": [{"label", "probability"}], "several", "words": [{"begin", "end",
 * "probability"}], "pieces", "read", "timing"}, most probable first. If "several" is true, each label
 * has its own probability, and the text has the labels of at least 0.5, or none. `second`: the other
 * text of a pair, else NULL; it is an error for a model trained on single texts. If `words` is not 0,
 * "words" has the best label's probability without each word, for one forward pass a word. */
MINIBERT_API char* minibert_classify(minibert_model* model, const char* text, const char* second,
                                     int words, char** error);

/* Returns the names in a text, of whole words and without a Korean particle at their end:
 * {"entities": [{"type", "text", "begin", "end", "probability"}], "pieces", "read", "timing"}. */
MINIBERT_API char* minibert_tag(minibert_model* model, const char* text, char** error);

/* Returns the text's pieces as the model reads them: [{"id", "piece", "begin", "end"}]. */
MINIBERT_API char* minibert_tokenize(minibert_model* model, const char* text, char** error);

#ifdef __cplusplus
}
#endif
#endif
