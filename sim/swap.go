package sim

// Preemption to host memory, as vLLM V0 had it beside recomputation.
//
//	S1 A preempted request whose blocks fit into the host's memory keeps what it
//	   has computed there. It goes to the front of the queue as any other.
//	S2 If they do not fit, it is recomputed.
//	S3 At its admission it needs GPU blocks for what it has and for its next
//	   tokens, and goes on where it stopped. The prefix cache is not asked.
//	S4 The next step that starts waits for all copies, out and in, one block
//	   after the other.
//	S5 Its host memory is free when it is admitted, or when its client leaves.

// swapOut keeps what a preempted request has computed, if there is room.
func (r *replica) swapOut(q *seq) bool {
	e := &r.s.c.Engine
	n := r.kv.blocksFor(q.computed)
	if q.expired || n == 0 || int(r.host)+int(n) > e.Swap.HostBlocks {
		return false
	}
	r.host += n
	q.stored, q.swapped = true, true
	r.copying += Picos(n) * e.Swap.PerBlock
	r.s.res.Totals.SwappedOut += int64(n)
	return true
}

// takeIn goes on with a request whose KV is stored outside the GPU.
func (r *replica) takeIn(q *seq) {
	if q.swapped {
		n := r.kv.blocksFor(q.computed)
		r.host -= n
		r.copying += Picos(n) * r.s.c.Engine.Swap.PerBlock
		r.s.res.Totals.SwappedIn += int64(n)
	}
	q.stored, q.swapped = false, false
}

// dropStored frees the host memory of a request that ends there.
func (r *replica) dropStored(q *seq) {
	if q.swapped {
		r.host -= r.kv.blocksFor(q.computed)
	}
	q.stored, q.swapped = false, false
}

// fitStored is how many tokens the head can be given now if its KV is stored;
// 0 if it must wait.
func (r *replica) fitStored(q *seq, left int32) int32 {
	k := &r.kv
	n := q.target - q.computed
	if n > 0 {
		n = r.chunk(n, left)
	} else {
		n = min(1+int32(len(r.cond.accept)), left, k.lastWritten-q.computed)
	}
	if n <= 0 {
		return 0
	}
	need := k.blocksFor(q.computed + n)
	if need > k.free || len(r.running) > 0 && k.free-need < k.watermark {
		return 0
	}
	if r.s.c.Engine.FullPromptGate && k.blocksFor(max(q.computed+n, q.target)) > k.free {
		return 0
	}
	return n
}
