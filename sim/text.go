package sim

// Tokens are not simulated one by one: a text is a list of names, and a block of
// it is known by the names of its pieces.

// text is the content of a request: which tokens it has, by name, and which
// blocks hold them.
type text struct {
	segments []Segment
	prompt   int32
	request  uint64
	outputID uint64
	own      uint64 // hash of the name of what it has alone

	chain   []uint64 // hashes of its first blocks, as far as they were asked for
	segment int      // where the next block of chain begins: the segment,
	offset  int32    // and the token in it

	shelf *shelf // nil, or what all texts of a run have in common

	blocks  []int32 // in order of the tokens they hold
	indexed int32   // of those, entered in the index
}

// set makes t the text of a new request; buffers are kept.
func (t *text) set(r *Spec, request int32) {
	t.segments = append(t.segments[:0], r.Prefix...)
	t.prompt, t.request, t.outputID = r.Prompt, uint64(uint32(request)), r.OutputID
	if r.Attempt > 0 { // the same words as before
		t.request = uint64(uint32(r.Origin))
	}
	t.own = mix(t.request ^ ownTokens)
	t.chain = t.chain[:0]
	t.segment, t.offset = 0, 0
	t.blocks, t.indexed = t.blocks[:0], 0
}

// hash is the hash of block i, which is full.
func (t *text) hash(i int, blockTokens int32) uint64 { return t.hashes(i+1, blockTokens)[i] }

// hashes are those of the first n blocks, which are full; valid until the next call.
func (t *text) hashes(n int, blockTokens int32) []uint64 {
	if len(t.chain) >= n {
		return t.chain[:n]
	}
	if cap(t.chain) == 0 {
		t.chain = t.shelf.room(n)
	}
	begins := len(t.chain) == 0
	if begins {
		t.begin(n, blockTokens)
	}
	h := uint64(1)
	if k := len(t.chain); k > 0 {
		h = t.chain[k-1]
	}
	for k := len(t.chain); k < n; k++ {
		at := int64(k) * int64(blockTokens)
		if t.alone(at, int64(blockTokens)) { // as extend would, of one piece
			h = mix(h ^ t.own)
			h = mix(h ^ uint64(uint32(at))<<32 ^ uint64(uint32(blockTokens)))
			if h == 0 {
				h = 1
			}
		} else {
			h = t.extend(h, at, blockTokens)
		}
		t.chain = append(t.chain, h)
	}
	if begins {
		t.keepBeginning(blockTokens)
	}
	return t.chain
}

// alone says whether the n tokens from token at on have one name, that of what
// the request has alone.
func (t *text) alone(at, n int64) bool {
	prompt := int64(t.prompt)
	return at+n <= prompt && t.segment == len(t.segments) || at >= prompt && t.outputID == 0
}

// Name spaces of tokens: texts that requests share, and what one has alone.
const (
	sharedTokens = 0x5348415245440001
	ownTokens    = 0x4f574e0000000001
)

// extend hashes the block of n tokens from token at on, after a prefix whose
// hash is h, as the list of its pieces: (text, first token in it, length).
func (t *text) extend(h uint64, at int64, n int32) uint64 {
	for n > 0 {
		space, id, from, left := t.piece(at)
		m := int32(min(int64(n), left))
		h = mix(h ^ mix(id^space))
		h = mix(h ^ uint64(uint32(from))<<32 ^ uint64(uint32(m)))
		at += int64(m)
		n -= m
		if t.segment < len(t.segments) {
			t.offset += m
		}
	}
	if h == 0 {
		h = 1 // 0 says that a block has no content
	}
	return h
}

// piece names the tokens from at on, and says how many follow under that name.
func (t *text) piece(at int64) (space, id uint64, from int32, left int64) {
	prompt := int64(t.prompt)
	if at < prompt {
		for t.segment < len(t.segments) && t.offset >= t.segments[t.segment].Tokens {
			t.segment++
			t.offset = 0
		}
		if t.segment < len(t.segments) {
			s := t.segments[t.segment]
			return sharedTokens, s.ID, t.offset, min(int64(s.Tokens-t.offset), prompt-at)
		}
		return ownTokens, t.request, int32(at), prompt - at
	}
	t.segment = len(t.segments)
	if t.outputID != 0 {
		return sharedTokens, t.outputID, int32(at - prompt), 1 << 62
	}
	return ownTokens, t.request, int32(at), 1 << 62
}
