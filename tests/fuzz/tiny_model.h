// The smallest .mbq files that fill masks or answer questions: what the fuzzer starts from.
#pragma once

#include <string>
#include <vector>

namespace minibert::test {

// A serialized SentencePiece BPE model without a normalization table.
std::string tiny_tokenizer();

// Plain; pre-norm, shared layers, factorized, head and bias; these and what version 2 adds; what version
// 3 adds to everything but the heads of a masked LM.
enum class Tiny { plain, everything, shaped, answering };

// int8 or float32.
std::string tiny_mbq(bool int8, Tiny size);

// The six that fill masks, then the two that answer.
std::vector<std::string> tiny_files();

}  // namespace minibert::test
