package planner

// Moving bytes between GPUs.

// activationBytes is the size of an element of what an all-reduce adds up.
const activationBytes = 2

// sentBytes is what each GPU of a ring sends to add up one token's activations:
// 2(tp-1)/tp of them.
func sentBytes(tp int, hidden, bytes float64) float64 {
	n := float64(tp)
	return 2 * (n - 1) / n * float64(hidden*bytes)
}

// AllReduceSeconds is what tensor parallelism adds to a step of so many tokens:
// two all-reduces a layer over tp GPUs, 2L(2(tp-1)/tp tokens hidden bytes/link +
// latency), by a ring. linkBytesPerSec is one direction of one GPU. 0 for tp 1.
func AllReduceSeconds(layers, hidden, tp int, tokens, bytes, linkBytesPerSec, latencySeconds float64) (float64, error) {
	c := &checker{}
	c.count("layers", layers, 1, 1<<16)
	c.count("hidden", hidden, 1, 1<<24)
	c.count("tp", tp, 1, mostTP)
	c.within("tokens", tokens, 0, mostTokens)
	c.within("bytes", bytes, 0, 8)
	c.above("linkBytesPerSec", linkBytesPerSec, 0, 1e6, 1e18)
	c.within("latencySeconds", latencySeconds, 0, 10)
	if c.Err != nil {
		return 0, c.Err
	}
	if tp == 1 {
		return 0, nil
	}
	sent := float64(tokens * sentBytes(tp, float64(hidden), bytes))
	return 2 * float64(layers) * (sent/linkBytesPerSec + latencySeconds), nil
}

// TransferSeconds is moving the KV cache of a prompt from a prefill replica to a
// decode replica: bytes over bytes/s, with nothing hidden behind the prefill.
func TransferSeconds(kvBytes, linkBytesPerSec float64) (float64, error) {
	c := &checker{}
	c.within("kvBytes", kvBytes, 0, 1e18)
	c.above("linkBytesPerSec", linkBytesPerSec, 0, 1e6, 1e18)
	if c.Err != nil {
		return 0, c.Err
	}
	return kvBytes / linkBytesPerSec, nil
}
