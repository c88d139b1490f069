package decoder

import (
	"openloop/numerics"
	"openloop/numerics/kernel"
)

// Reduction is a kind of sum in the model.
type Reduction uint8

// The kinds of sum.
const (
	Product Reduction = iota // a row of a matrix product; the logits too
	Norm                     // the squares of an RMS norm
)

// Choice picks the order of a sum from the batch of its step.
type Choice func(r Reduction, batch int) numerics.Order

// Usual chooses as usual kernels do, on a GPU with sms multiprocessors. Our
// rows are too short for a GPU to notice, so products are cut into as many
// parts as one of 4096 x 4096 weights would be (kernel.SplitK), and norms take
// the threads of a row of 4096 (kernel.RMSNormThreads); at our width both
// counts of threads give the same order.
func Usual(sms int) Choice {
	const real = 4096
	return func(r Reduction, batch int) numerics.Order {
		if r == Norm {
			return numerics.Block(kernel.RMSNormThreads(batch, real))
		}
		return numerics.SplitK(kernel.SplitK(batch, real, real, kernel.DecodeTile(), sms))
	}
}

// Invariant takes one order for every batch: that of a product nobody cut, and
// that of the larger norm.
func Invariant(r Reduction, _ int) numerics.Order {
	if r == Norm {
		return numerics.Block(256)
	}
	return numerics.SplitK(1)
}
