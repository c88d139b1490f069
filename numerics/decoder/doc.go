// Package decoder is a small greedy language model whose every sum has an
// order, and whose orders may depend on the batch: enough to see when the same
// request, at temperature 0, stops getting the same tokens.
//
// Start reading at Model (the weights), then Row.Step (one token), then Choice
// (where the batch comes in) and Company (the batch over time). Trace shows the
// inside of a step.
//
// It is a model of rounding, not of language:
//   - The weights are random bf16 numbers made from a seed. Nothing is learned.
//   - There is no attention and no softmax, because exp does not give the same
//     bits everywhere. Tokens mix in one place: the embeddings of the last
//     Window tokens, at fixed places, are the input of the first product.
//   - Only our row is computed. Its neighbors act through their number alone,
//     which is all that the kernels look at.
//   - Products are rounded to float32 before they are added, and one part of a
//     sum is added from left to right. A tensor core does neither exactly.
//   - The rows are much shorter than those of a real model, so each sum rounds
//     less often; there are also fewer layers. Rates found here show what can
//     happen and what it depends on, not how often it happens in production.
package decoder
