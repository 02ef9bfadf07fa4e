// The smallest .mbq files of every task: what the fuzzer starts from.
#pragma once

#include <string>
#include <vector>

namespace minibert::test {

// A serialized SentencePiece BPE model without a normalization table.
std::string tiny_tokenizer();

// Plain; pre-norm, shared layers, factorized, head and bias; these and what version 2 adds; what versions
// 3 and 4 add to everything but the heads of a masked LM.
enum class Tiny { plain, everything, shaped, answering, labelling, naming };

// int8 or float32.
std::string tiny_mbq(bool int8, Tiny size);

// The six that fill masks, then two each that answer, label and mark names.
std::vector<std::string> tiny_files();

}  // namespace minibert::test
