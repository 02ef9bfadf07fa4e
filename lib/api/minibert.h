/* minibert's engine for other programs: fills masks, answers questions, labels texts and marks names with a
 * model file (.mbq) that `minibert export` wrote. C99, no exceptions, nothing but the C library to link.
 *
 * Texts are UTF-8 that ends in a zero byte. Results are JSON of the same kind, to be freed with
 * minibert_free(). A function that fails returns NULL and, where `error` is not NULL, sets *error to one line
 * that says what was found and what was expected, to be freed likewise; on success *error is NULL. NULL in the
 * place of a model, a path or a text is such an error, too. Offsets in results count bytes of the text. A model
 * is used by one thread at a time; different models by as many as there are. The same file and text give the
 * same bits on every processor. */
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

/* Counts up when a function below changes or goes; functions and JSON keys that are added change nothing. */
#define MINIBERT_API_VERSION 1

typedef struct minibert_model minibert_model;

/* Of the library that runs: MINIBERT_API_VERSION, and its release ("0.2.0"). */
MINIBERT_API int minibert_api_version(void);
MINIBERT_API const char* minibert_version(void);

/* Reads a model file. Errors: no such file, no .mbq, one that is damaged or of a newer version. */
MINIBERT_API minibert_model* minibert_open(const char* path, char** error);
/* The same of `size` bytes, which are copied. */
MINIBERT_API minibert_model* minibert_open_bytes(const void* bytes, size_t size, char** error);
/* Of NULL: nothing. */
MINIBERT_API void minibert_close(minibert_model* model);
MINIBERT_API void minibert_free(char* text);

/* What the model does: "masks", "answers", "labels" or "names". Lives as long as the model. Of NULL: NULL. */
MINIBERT_API const char* minibert_task(const minibert_model* model);
/* {"weights", "kernel", "parameters", "file_bytes", "source_run", "source_sha256", "card": [{"name", "heading",
 * "split", "decimals", "value"}], "vocab_size", "d_model", ...}: where the model comes from, how good it is,
 * and its architecture. */
MINIBERT_API char* minibert_facts(minibert_model* model, char** error);

/* For every [MASK] of the text its `top` best pieces, of which 1 to 1000 can be asked for. In a text without [MASK]
 * the blanks that people write are masks: ___, ( ), [ mask ], <mask>, □, ○○. Of both forms of a particle behind a mask,
 * 을(를), 은/는 or (으)로, the one is read with which the guesses agree.
 * {"tokens", "masks": [{"position", "begin", "end", "guesses": [{"id", "piece", "text", "probability"}]}],
 *  "filled", "timing"}. Errors: another `top`, an empty text, one without [MASK] and blanks, one that is too long,
 * invalid UTF-8, a model that does something else (as in all that follow). */
MINIBERT_API char* minibert_fill(minibert_model* model, const char* text, int top, char** error);

/* The `top` (1 to 1000) best answers that stand in the context, which may be of any length, without a Korean particle
 * at their end and with whole numbers:
 * {"answers": [{"text", "begin", "end", "probability"}], "question_pieces", "context_pieces", "windows",
 *  "timing"}. */
MINIBERT_API char* minibert_answer(minibert_model* model, const char* question, const char* context,
                                   int top, char** error);

/* {"labels": [{"label", "probability"}], "several", "words": [{"begin", "end", "probability"}], "pieces", "read",
 *  "timing"}, most probable first. Where "several" is true, each label has a probability of its own, and the text has
 * those of at least 0.5, or none. `second`: the other text of a pair, else NULL; an error of a model that was trained on
 * single texts. With `words` not 0 the best
 * label's probability without each word, which takes a forward pass a word. */
MINIBERT_API char* minibert_classify(minibert_model* model, const char* text, const char* second,
                                     int words, char** error);

/* The names in a text, of whole words and without a Korean particle at their end:
 * {"entities": [{"type", "text", "begin", "end", "probability"}], "pieces", "read", "timing"}. */
MINIBERT_API char* minibert_tag(minibert_model* model, const char* text, char** error);

/* [{"id", "piece", "begin", "end"}]: the text's pieces, as the model reads them. */
MINIBERT_API char* minibert_tokenize(minibert_model* model, const char* text, char** error);

#ifdef __cplusplus
}
#endif
#endif
