package sim

import (
	"slices"
	"strconv"
	"strings"
)

// refKV is the paged cache: blocks that are objects, a free queue that is a
// slice, and an index from content to the blocks that hold it, oldest first.
// Content is compared exactly, token by token, not by hash.
type refKV struct {
	blockTokens int
	prefixCache bool
	all         []*refBlock
	free        []*refBlock // taken from the head
	byContent   map[int][]*refBlock
	contents    map[string]int // number of a content: 1, 2, ...
	lost        []*refBlock    // that nobody can use
	toLose      int
}

type refBlock struct {
	refs    int // requests that hold it
	content int // number of what is indexed in it; 0 if it is not in the index
}

func newRefKV(e Engine) *refKV {
	kv := &refKV{
		blockTokens: e.BlockTokens, prefixCache: e.PrefixCache,
		byContent: map[int][]*refBlock{}, contents: map[string]int{},
	}
	for range e.KVBlocks {
		kv.all = append(kv.all, &refBlock{})
	}
	kv.free = slices.Clone(kv.all)
	return kv
}

// used counts the blocks that somebody holds; cached ones that nobody holds
// are free (rule 12).
func (kv *refKV) used() int {
	n := 0
	for _, b := range kv.all {
		if b.refs > 0 {
			n++
		}
	}
	return n
}

// grow gives r blocks until it holds want.
func (kv *refKV) grow(r *refRequest, want int) {
	for len(r.blocks) < want {
		r.blocks = append(r.blocks, kv.take())
	}
}

// take hands out the head of the free queue; what was cached in it is lost.
func (kv *refKV) take() *refBlock {
	b := kv.free[0]
	kv.free = kv.free[1:]
	if b.content != 0 {
		same := kv.byContent[b.content]
		kv.byContent[b.content] = slices.Delete(same, slices.Index(same, b), slices.Index(same, b)+1)
		b.content = 0
	}
	b.refs = 1
	return b
}

// adopt makes r a holder of the blocks that it hit.
func (kv *refKV) adopt(r *refRequest, hits []*refBlock) {
	for _, b := range hits {
		if b.refs == 0 {
			i := slices.Index(kv.free, b)
			kv.free = slices.Delete(kv.free, i, i+1)
		}
		b.refs++
		r.blocks = append(r.blocks, b)
	}
}

// release takes all blocks from r. Those that nobody else holds go to the tail
// of the free queue, last block first.
func (kv *refKV) release(r *refRequest) {
	for _, b := range slices.Backward(r.blocks) {
		b.refs--
		if b.refs == 0 {
			kv.free = append(kv.free, b)
		}
	}
	r.blocks = nil
	kv.loseFree()
}

// lookup finds the longest run of leading blocks of r in the index. At least
// one token stays to be computed.
func (kv *refKV) lookup(r *refRequest) []*refBlock {
	if !kv.prefixCache {
		return nil
	}
	var hits []*refBlock
	for i := range (r.known() - 1) / kv.blockTokens {
		same := kv.byContent[kv.contentOf(r, i)]
		if len(same) == 0 {
			break
		}
		hits = append(hits, same[0])
	}
	return hits
}

// index enters the full blocks among the first tokens of r.
func (kv *refKV) index(r *refRequest, tokens int) {
	if !kv.prefixCache {
		return
	}
	for i := range tokens / kv.blockTokens {
		b := r.blocks[i]
		if b.content == 0 {
			b.content = kv.contentOf(r, i)
			kv.byContent[b.content] = append(kv.byContent[b.content], b)
		}
	}
}

// contentOf numbers what block i of r holds, together with all before it.
func (kv *refKV) contentOf(r *refRequest, i int) int {
	for len(r.chain) <= i {
		var text strings.Builder
		if n := len(r.chain); n > 0 {
			text.WriteString(strconv.Itoa(r.chain[n-1]))
		}
		for k := range kv.blockTokens {
			text.WriteString(r.token(len(r.chain)*kv.blockTokens + k))
		}
		number, seen := kv.contents[text.String()]
		if !seen {
			number = len(kv.contents) + 1
			kv.contents[text.String()] = number
		}
		r.chain = append(r.chain, number)
	}
	return r.chain[i]
}

// token names the token at a position: so far into a text that others may
// know, or one that only this request has.
func (r *refRequest) token(at int) string {
	if at >= r.prompt() {
		if r.spec.OutputID == 0 {
			return r.ownToken(at)
		}
		return sharedToken(r.spec.OutputID, at-r.prompt())
	}
	offset := at
	for _, s := range r.spec.Prefix {
		if offset < int(s.Tokens) {
			return sharedToken(s.ID, offset)
		}
		offset -= max(int(s.Tokens), 0)
	}
	return r.ownToken(at)
}

func sharedToken(id uint64, offset int) string {
	return " s" + strconv.FormatUint(id, 16) + "." + strconv.Itoa(offset)
}

func (r *refRequest) ownToken(at int) string {
	if r.spec.Attempt > 0 {
		return " r" + strconv.Itoa(int(r.spec.Origin)) + "." + strconv.Itoa(at)
	}
	return " r" + strconv.Itoa(int(r.id)) + "." + strconv.Itoa(at)
}
