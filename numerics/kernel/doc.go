// Package kernel says which split a GPU kernel would pick for a reduction,
// given the batch that it runs in. It is the place where the batch enters the
// order of a float32 sum, and so its bits.
//
// Start reading at FlashSplits (attention), then RMSNormThreads (a norm) and
// SplitK (a matrix product). The first two follow published source code line by
// line. The third is a model: the libraries that matter do not publish theirs.
// Costs lists what was measured when the choice was taken away.
//
// The package counts; it adds no float32 values (package numerics does) and it
// does not claim to reproduce a kernel: tensor cores, caches and the order
// inside one instruction are left out.
package kernel
