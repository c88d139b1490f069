package decoder

// Precision is what is rounded to bf16 besides the weights. Additions are
// float32 in all cases.
type Precision uint8

// The precisions.
const (
	// Float32 rounds nothing else.
	Float32 Precision = iota
	// BF16 rounds every value that one part of the model hands to the next,
	// the logits too.
	BF16
	// BF16Partials also rounds the result of each part of a product that is
	// cut into several, before they are added. PyTorch allows its libraries to
	// do so unless told otherwise: the flag
	// torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction is on by
	// default (PyTorch, notes on numerical accuracy). Whether a product does is
	// up to the library.
	BF16Partials
)
