// The smallest .mbq files that fill masks: what the fuzzer starts from.
#pragma once

#include <string>
#include <vector>

namespace minibert::test {

// A serialized SentencePiece BPE model without a normalization table.
std::string tiny_tokenizer();

// int8 or float32, plain or with everything (pre-norm, shared layers, factorized, head, bias).
std::string tiny_mbq(bool int8, bool everything);

// All four.
std::vector<std::string> tiny_files();

}  // namespace minibert::test
