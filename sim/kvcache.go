package sim

// kvCache is the paged KV memory of one replica. Without the prefix cache
// blocks are alike and only their number matters; with it they are told apart
// in prefixCache.
type kvCache struct {
	blockTokens int32
	total       int32
	free        int32 // held by nobody; cached content may sit in them
	watermark   int32 // free blocks that an admission must leave while something runs
	longest     int32 // tokens that one request may hold blocks for
	lastWritten int32 // of the longest request, the tokens whose KV is written: all but the last
	prefix      *prefixCache

	lost       int32 // withheld by a Change
	owed       int32 // to be withheld as soon as they are free
	lostBlocks []int32
}

func newKVCache(e *Engine) kvCache {
	k := kvCache{
		blockTokens: int32(e.BlockTokens), total: int32(e.KVBlocks), free: int32(e.KVBlocks),
		watermark: int32(e.Watermark * float64(e.KVBlocks)),
	}
	fits := min(int64(e.KVBlocks)*int64(e.BlockTokens), maxTokens)
	k.longest, k.lastWritten = int32(fits), int32(fits)
	if m := int32(e.MaxModelLen); m > 0 {
		k.longest, k.lastWritten = min(k.longest, m), min(k.lastWritten, m-1)
	}
	if e.PrefixCache {
		k.prefix = newPrefixCache(e.KVBlocks)
	}
	return k
}

func (k *kvCache) used() int32 { return k.total - k.free }

// blocksFor is the number of blocks that hold so many tokens.
func (k *kvCache) blocksFor(tokens int32) int32 {
	return (tokens + k.blockTokens - 1) / k.blockTokens
}

// reserve makes room for so many tokens of a running request. It takes all the
// blocks or, if they are not there, none.
func (k *kvCache) reserve(s *ServingSim, slot int32, tokens int32) bool {
	q := &s.seqs[slot]
	if tokens <= q.room {
		return true
	}
	n := k.blocksFor(tokens) - q.blocks
	if n > k.free {
		return false
	}
	k.take(s, slot, n)
	return true
}

// take gives n free blocks to a request.
func (k *kvCache) take(s *ServingSim, slot int32, n int32) {
	q := &s.seqs[slot]
	q.blocks += n
	q.room = q.blocks * k.blockTokens
	k.free -= n
	if k.free < 0 {
		panic("sim: more KV blocks taken than there are")
	}
	if k.prefix != nil {
		t := &s.texts[slot]
		s.effort += 4 * int64(n)
		if cap(t.blocks) == 0 {
			t.blocks = s.shelf.roomForBlocks(int(n))
		}
		t.blocks = k.prefix.take(t.blocks, n)
	}
}

// release takes all blocks from a request.
func (k *kvCache) release(s *ServingSim, slot int32) {
	q := &s.seqs[slot]
	if k.prefix == nil {
		k.free += q.blocks
	} else {
		t := &s.texts[slot]
		// From the last: what is freed first is evicted first, and the end of
		// a prompt is worth less than its beginning.
		k.free += k.prefix.release(t.blocks)
		t.blocks = t.blocks[:0]
		t.indexed = 0
	}
	q.blocks, q.room = 0, 0
	if k.owed > 0 {
		k.payOwed()
	}
}
