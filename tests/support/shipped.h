// The repository's records with weights, for tests that use one.
#pragma once

namespace minibert::testing {

// Pretrained.
inline constexpr const char* kShippedModel = "results/kowiki_mini_bert/full/mini_bert_1m-s1.h5";
// Answers questions.
inline constexpr const char* kShippedAnswers =
    "results/korquad_after_cloze/quick-2-core/bert_1m_everyday_cloze-s1.h5";
// Label reviews, and mark names.
inline constexpr const char* kShippedClassifier =
    "results/nsmc_sentiment/with_sentineg/bert_1m_everyday-s1.h5";
inline constexpr const char* kShippedTagger = "results/klue_ner/full-1-core/bert_1m_everyday-s1.h5";

}  // namespace minibert::testing
