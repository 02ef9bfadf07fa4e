// The smallest .mbq files of every task, from which the fuzzer starts.
#pragma once

#include <string>
#include <vector>

namespace minibert::test {

// A serialized SentencePiece BPE model without a normalization table.
std::string tiny_tokenizer();

// plain; pre-norm, shared layers, factorized, head and bias; these with version 2's additions; all
// but the masked LM's heads with the additions of versions 3 and 4.
enum class Tiny { plain, everything, shaped, answering, labelling, naming };

// int8 or float32.
std::string tiny_mbq(bool int8, Tiny size);

// Returns six files that fill masks, then two each that answer, label and mark names.
std::vector<std::string> tiny_files();

}  // namespace minibert::test
