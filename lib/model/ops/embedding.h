// Row look-ups: the sum of BERT's three embeddings, and chosen positions of hidden states. The
// backward passes add rows in order, for any number of threads.
#pragma once

#include "core/torch.h"

namespace minibert {

// token_VE[ids] + position_PE[0 … S) + segment_2E[segments] -> [B, S, E] float32; an undefined
// position table adds nothing. ids, segments: [B, S] int64.
torch::Tensor embedding_sum(const torch::Tensor& ids, const torch::Tensor& segments,
                            const torch::Tensor& token, const torch::Tensor& position,
                            const torch::Tensor& segment);

// hidden_BSD's rows at rows_M (int64, into B * S) -> [M, D] in hidden's type. On a device each row
// may occur once: it would add repeats in any order.
torch::Tensor gather_rows(const torch::Tensor& hidden, const torch::Tensor& rows);

// Rows of a small table_RC at `rows` (int64, any shape, with repeats) -> [..., C]. On a device the
// backward pass is one product; adding rows in a fixed order would take a dozen operations.
torch::Tensor rows_of_few(const torch::Tensor& table, const torch::Tensor& rows);

// hidden_BSD at positions_BQ (int64, into S) -> [B, Q, D].
torch::Tensor at_positions(const torch::Tensor& hidden, const torch::Tensor& positions);

}  // namespace minibert
