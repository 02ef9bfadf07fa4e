// The smallest .mbq files that fill masks: what the fuzzer starts from.
#pragma once

#include <string>
#include <vector>

namespace minibert::test {

// A serialized SentencePiece BPE model without a normalization table.
std::string tiny_tokenizer();

// Plain; pre-norm, shared layers, factorized, head and bias; these and what version 2 adds.
enum class Tiny { plain, everything, shaped };

// int8 or float32.
std::string tiny_mbq(bool int8, Tiny size);

// All six.
std::vector<std::string> tiny_files();

}  // namespace minibert::test
