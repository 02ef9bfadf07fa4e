// The fields of each result with their JSON names: fill_json.cpp writes them, the page reads them.
#pragma once

#include "infer/answerer.h"
#include "infer/classifier.h"
#include "infer/fill_mask.h"
#include "infer/intervene.h"
#include "infer/tagger.h"
#include "infer/teach.h"
#include "infer/training.h"

namespace minibert::infer {

template <class Result>
struct Fields;

// A type with fields of its own; any other is a number, a text or a vector.
template <class Type>
concept HasFields = requires {
  sizeof(Fields<Type>);
};

template <>
struct Fields<Timing> {
  static void visit(auto& timing, auto&& field) {
    field("tokenize_ms", timing.tokenize_ms);
    field("encoder_ms", timing.encoder_ms);
    field("output_ms", timing.output_ms);
  }
};

template <>
struct Fields<Token> {
  static void visit(auto& token, auto&& field) {
    field("id", token.id);
    field("piece", token.piece);
    field("begin", token.begin);
    field("end", token.end);
  }
};

template <>
struct Fields<Guess> {
  static void visit(auto& guess, auto&& field) {
    field("id", guess.id);
    field("piece", guess.piece);
    field("text", guess.text);
    field("probability", guess.probability);
  }
};

template <>
struct Fields<MaskGuesses> {
  static void visit(auto& mask, auto&& field) {
    field("position", mask.position);
    field("begin", mask.begin);
    field("end", mask.end);
    field("guesses", mask.guesses);
  }
};

template <>
struct Fields<FillResult> {
  static void visit(auto& result, auto&& field) {
    field("tokens", result.tokens);
    field("masks", result.masks);
    field("filled", result.filled);
    field("timing", result.timing);
  }
};

template <>
struct Fields<PieceScore> {
  static void visit(auto& piece, auto&& field) {
    field("id", piece.id);
    field("piece", piece.piece);
    field("rank", piece.rank);
    field("probability", piece.probability);
  }
};

template <>
struct Fields<WordScore> {
  static void visit(auto& score, auto&& field) {
    field("pieces", score.pieces);
    field("probability", score.probability);
  }
};

template <>
struct Fields<ChangedGuess> {
  static void visit(auto& guess, auto&& field) {
    Fields<Guess>::visit(guess, field);
    field("before", guess.before);
  }
};

template <>
struct Fields<ChangedMask> {
  static void visit(auto& mask, auto&& field) {
    field("position", mask.position);
    field("guesses", mask.guesses);
    field("before", mask.before);
  }
};

template <>
struct Fields<ChangedResult> {
  static void visit(auto& result, auto&& field) {
    field("tokens", result.tokens);
    field("layers", result.layers);
    field("local_layers", result.local_layers);
    field("heads", result.heads);
    field("masks", result.masks);
    field("word", result.word);
    field("word_before", result.word_before);
  }
};

template <>
struct Fields<CheckpointFill> {
  static void visit(auto& one, auto&& field) {
    field("share", one.share);
    field("masks", one.found.masks);
    field("filled", one.found.filled);
  }
};

template <>
struct Fields<Answer> {
  static void visit(auto& answer, auto&& field) {
    field("text", answer.text);
    field("begin", answer.begin);
    field("end", answer.end);
    field("probability", answer.probability);
  }
};

template <>
struct Fields<AnswerResult> {
  static void visit(auto& result, auto&& field) {
    field("answers", result.answers);
    field("question_pieces", result.question_pieces);
    field("context_pieces", result.context_pieces);
    field("windows", result.windows);
    field("timing", result.timing);
  }
};

template <>
struct Fields<LabelProbability> {
  static void visit(auto& label, auto&& field) {
    field("label", label.label);
    field("probability", label.probability);
  }
};

template <>
struct Fields<WordWeight> {
  static void visit(auto& word, auto&& field) {
    field("begin", word.begin);
    field("end", word.end);
    field("probability", word.probability);
  }
};

// Counts of a text that may have been read in windows.
template <>
struct Fields<TextReading> {
  static void visit(auto& reading, auto&& field) {
    field("pieces", reading.pieces);
    field("read", reading.read);
    field("timing", reading.timing);
  }
};

template <>
struct Fields<ClassifyResult> {
  static void visit(auto& result, auto&& field) {
    field("labels", result.labels);
    field("several", result.several);
    field("words", result.words);
    Fields<TextReading>::visit(result, field);
  }
};

template <>
struct Fields<TaughtLabel> {
  static void visit(auto& label, auto&& field) {
    field("label", label.label);
    field("sentences", label.sentences);
  }
};

template <>
struct Fields<TaughtError> {
  static void visit(auto& error, auto&& field) {
    field("text", error.text);
    field("label", error.label);
    field("guess", error.guess);
    field("probability", error.probability);
  }
};

template <>
struct Fields<TeachResult> {
  static void visit(auto& result, auto&& field) {
    field("labels", result.labels);
    field("unread_line", result.unread_line);
    field("learnt", result.learnt);
    field("right", result.right);
    field("wrong", result.wrong);
    field("guess", result.guess);
    field("words", result.words);
  }
};

template <>
struct Fields<NamedEntity> {
  static void visit(auto& entity, auto&& field) {
    field("type", entity.type);
    field("text", entity.text);
    field("begin", entity.begin);
    field("end", entity.end);
    field("probability", entity.probability);
  }
};

template <>
struct Fields<TagResult> {
  static void visit(auto& result, auto&& field) {
    field("entities", result.entities);
    Fields<TextReading>::visit(result, field);
  }
};

}  // namespace minibert::infer
