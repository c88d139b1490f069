package sim

// What the texts of a run have in common. Many requests begin with one text that
// they share: the hashes of its blocks are those of whoever computed them first,
// and a copy costs a tenth. And of a thousand requests that wait, a few run: the
// buffers of those that are gone serve those that come.

// shelf is both.
type shelf struct {
	of     [shelfPlaces]beginning // each text in the one place that its name has
	chains [][]uint64             // out of use
	blocks [][]int32
}

const shelfPlaces = 64 // a power of two

// beginning is the hashes of the blocks that are full of one text alone, with
// which prompts begin.
type beginning struct {
	text  uint64 // its name
	chain []uint64
}

// beginning is where that of t is kept, and how many blocks are full of it: 0 if
// it begins with no text that others may have.
func (t *text) beginning(blockTokens int32) (place *beginning, blocks int) {
	if t.shelf == nil || len(t.segments) == 0 {
		return nil, 0
	}
	first := &t.segments[0]
	blocks = int(min(first.Tokens, t.prompt) / blockTokens)
	return &t.shelf.of[mix(first.ID)%shelfPlaces], blocks
}

// begin copies the first hashes of t, at most n, as far as they are known.
func (t *text) begin(n int, blockTokens int32) {
	b, blocks := t.beginning(blockTokens)
	if blocks == 0 || b.text != t.segments[0].ID {
		return
	}
	n = min(n, blocks, len(b.chain))
	t.chain = append(t.chain, b.chain[:n]...)
	t.offset = int32(n) * blockTokens
}

// keepBeginning keeps the first hashes of t, if more are known now than were.
func (t *text) keepBeginning(blockTokens int32) {
	b, blocks := t.beginning(blockTokens)
	if blocks = min(blocks, len(t.chain)); blocks == 0 || b.text == t.segments[0].ID && len(b.chain) >= blocks {
		return
	}
	b.text, b.chain = t.segments[0].ID, append(b.chain[:0], t.chain[:blocks]...)
}

// room is an empty buffer for hashes, with room for n of them.
func (f *shelf) room(n int) []uint64 {
	if f != nil {
		if k := len(f.chains); k > 0 {
			out := f.chains[k-1]
			f.chains = f.chains[:k-1]
			return out
		}
	}
	return make([]uint64, 0, n+n/2)
}

// roomForBlocks is the same for n blocks.
func (f *shelf) roomForBlocks(n int) []int32 {
	if f != nil {
		if k := len(f.blocks); k > 0 {
			out := f.blocks[k-1]
			f.blocks = f.blocks[:k-1]
			return out
		}
	}
	return make([]int32, 0, n+n/2)
}

// putAway gives up the buffers of a text that nobody has any more.
func (t *text) putAway() {
	if cap(t.chain) > 0 {
		t.shelf.chains = append(t.shelf.chains, t.chain[:0])
	}
	if cap(t.blocks) > 0 {
		t.shelf.blocks = append(t.shelf.blocks, t.blocks[:0])
	}
	t.chain, t.blocks = nil, nil
}
