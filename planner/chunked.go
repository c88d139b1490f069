package planner

import "math"

// Chunked prefill: a prompt is cut into chunks, each of which shares a step with
// the sequences that decode. What that changes:
//
//   - the longest gap between two tokens of a running sequence, which without it
//     is a whole prompt: the tail, not the mean
//   - a prompt is no step of its own, so the fixed part of a step is not paid
//     for it
//   - every chunk after the first reads the KV of those before it
//   - arithmetic of prefill may hide behind reading for decode. How much is x of
//     Deployment.OverlapFrac: P shrinks by x min(P, D), an optimistic bound. No
//     source gives x. Published throughput is met within some 7% by adding
//     everything, x = 0, so that is the default; x is for the reader to try.

// ExtraReads is how many tokens of KV a prompt of n new tokens after cached ones
// reads again because it is cut into chunks: the j-th of m chunks reads the j-1
// before it, and each after the first what was cached. 0 without chunks.
func ExtraReads(n, cached float64, chunk int) float64 {
	if chunk <= 0 || n <= float64(chunk) {
		return 0
	}
	m := math.Ceil(n / float64(chunk))
	return float64(float64(float64(chunk)*m)*(m-1)*0.5) + float64(cached*(m-1))
}

// Batch is a decode batch of equal sequences.
type Batch struct {
	Sequences     float64
	ContextTokens float64
}

// StepTime is one step by its two sides.
type StepTime struct {
	Bytes, FLOPs                  float64
	MemorySeconds, ComputeSeconds float64
	FixedSeconds                  float64 // engine and collectives, on top
}

// Seconds is the longer side, and what comes on top.
func (t StepTime) Seconds() float64 { return max(t.MemorySeconds, t.ComputeSeconds) + t.FixedSeconds }

// MemoryBound says whether reading takes longer than computing.
func (t StepTime) MemoryBound() bool { return t.MemorySeconds >= t.ComputeSeconds }

// Mixed is a step of a decode batch and one chunk of a prompt: chunk new tokens
// after done ones, the last chunk with the LM head. chunk 0 is a decode step.
// Only MFU, MBU and Engine of the deployment are used, not Reference.
func Mixed(d Deployment, b Batch, chunk, done int, last bool) (StepTime, error) {
	c := &checker{}
	d.Reference = Reference{}
	c.deployment(&d)
	c.within("Batch.Sequences", b.Sequences, 0, 1e9)
	c.within("Batch.ContextTokens", b.ContextTokens, 0, mostTokens)
	c.count("chunk", chunk, 0, mostTokens)
	c.count("done", done, 0, mostTokens)
	if c.Err == nil && b.Sequences == 0 && chunk == 0 {
		c.fail("chunk", "0", "at least 1, or a batch to decode", "1")
	}
	if c.Err != nil {
		return StepTime{}, c.Err
	}
	var s step
	s.set(&d)
	var t StepTime
	always, routed, head, attention := s.sizes.decodeFLOPs(b.ContextTokens)
	t.FLOPs = float64(b.Sequences * (always + routed + head + attention))
	t.ComputeSeconds = float64(b.Sequences * (float64((always+head)*s.perFLOP) + float64(routed*s.perExpert) + float64(attention*s.perDecode)))
	kv := float64(b.Sequences * s.sizes.kvBytes(&d, b.ContextTokens))
	if chunk > 0 {
		kv += s.sizes.kvBytes(&d, float64(done))
		always, routed, head, attention = s.sizes.prefillFLOPs(float64(chunk), float64(done))
		if !last {
			head = 0
		}
		t.FLOPs += always + routed + head + attention
		t.ComputeSeconds += float64((always+head)*s.perFLOP) + float64(routed*s.perExpert) + float64(attention*s.perPrefill)
	}
	weights := s.sizes.weightBytes(b.Sequences + float64(chunk))
	t.Bytes = weights + kv
	t.MemorySeconds = float64(weights*s.perByte) + float64(kv*s.perKVByte)
	t.FixedSeconds = s.fixed + float64((b.Sequences+float64(chunk))*s.perToken)
	return t, nil
}

// LargestChunk is how many prompt tokens fit into a step that decodes a batch
// within stepSeconds, by arithmetic: (s F - B FLOPs)/(2 body), attention and LM
// head of the chunk left out. An error if the batch alone takes longer.
func LargestChunk(d Deployment, b Batch, stepSeconds float64) (int, error) {
	t, err := Mixed(d, b, 0, 0, false)
	if err != nil {
		return 0, err
	}
	c := &checker{}
	least := t.Seconds()
	c.above("stepSeconds", stepSeconds, least, rounded(float64(least*1.001), true), longestSeconds)
	if c.Err != nil {
		return 0, c.Err
	}
	d.Reference = Reference{}
	var s step
	s.set(&d)
	always, routed, _, _ := s.sizes.prefillFLOPs(1, 0)
	token := float64(always*s.perFLOP) + float64(routed*s.perExpert) + s.perToken
	return int(min((stepSeconds-t.FixedSeconds-t.ComputeSeconds)/token, mostTokens)), nil
}
