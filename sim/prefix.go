package sim

import "math/bits"

// The prefix cache finds full blocks by content. The content of a block is
// known by a hash that chains over all blocks before it, so equal hashes mean
// equal prefixes. (64 bits: with a million blocks two contents share a hash
// once in 10^7 runs.)
//
// A block that nobody holds sits in the free queue, from the least recently
// freed at the head to the most recently freed at the tail. It keeps its
// content, and its entry in the index, until it is taken from the head. A
// lookup that finds it takes it out of the middle of the queue.

// prefixCache is the blocks of one replica, told apart.
type prefixCache struct {
	held []int32  // requests that hold a block
	hash []uint64 // of its content; 0 if it is not in the index

	// The free queue is a ring of links through its blocks, and one more, the
	// last index, which stands before the head and after the tail.
	ring []ringLink

	// index is a hash table with linear probing. Its size is a power of two, at
	// least twice the blocks.
	index []indexEntry
	shift uint8 // of a tag, to its home

	hits    []int32 // found by the last lookup
	evicted int64   // contents that were forgotten because their block was taken
}

// indexEntry is an entry: block+1, or 0 where it is empty, and what is needed of the
// block's hash to find its home, so that no gap is closed by looking elsewhere.
type indexEntry struct {
	block int32
	tag   uint32
}

// ringLink is a block's place in the free queue.
type ringLink struct{ next, prev int32 }

func newPrefixCache(blocks int) *prefixCache {
	size := 1 << bits.Len(uint(2*blocks-1))
	p := &prefixCache{
		held: make([]int32, blocks), hash: make([]uint64, blocks), ring: make([]ringLink, blocks+1),
		index: make([]indexEntry, size), shift: uint8(32 - bits.Len(uint(size-1))),
	}
	for i := range p.ring { // all free, in order
		p.ring[i] = ringLink{next: int32(i + 1), prev: int32(i - 1)}
	}
	p.ring[blocks].next, p.ring[0].prev = 0, int32(blocks)
	return p
}

// take removes the n blocks at the head of the free queue, which must be there,
// forgets their contents and appends them to dst.
func (p *prefixCache) take(dst []int32, n int32) []int32 {
	end := int32(len(p.held))
	b := p.ring[end].next
	for ; n > 0; n-- {
		if p.hash[b] != 0 {
			p.forget(b)
			p.evicted++
		}
		p.held[b] = 1
		dst = append(dst, b)
		b = p.ring[b].next
	}
	p.ring[end].next, p.ring[b].prev = b, end
	return dst
}

// release gives up one hold of each block, from the last to the first, and counts
// those that are free now.
func (p *prefixCache) release(blocks []int32) (free int32) {
	end := int32(len(p.held))
	tail := p.ring[end].prev
	for i := len(blocks) - 1; i >= 0; i-- {
		b := blocks[i]
		p.held[b]--
		if p.held[b] > 0 {
			continue
		}
		p.ring[tail].next, p.ring[b].prev = b, tail
		tail = b
		free++
	}
	p.ring[tail].next, p.ring[end].prev = end, tail
	return free
}

// hold adds a hold to a block that a lookup found; wasFree says that it left
// the free queue for it.
func (p *prefixCache) hold(b int32) (wasFree bool) {
	p.held[b]++
	if p.held[b] > 1 {
		return false
	}
	x := p.ring[b]
	p.ring[x.prev].next = x.next
	p.ring[x.next].prev = x.prev
	return true
}

// tagOf is the upper half of a hash that is spread once more.
func tagOf(h uint64) uint32 { return uint32(h * 0x9e3779b97f4a7c15 >> 32) }

// find is the block that has held this content for longest, or -1.
func (p *prefixCache) find(h uint64) int32 {
	index, tag := p.index, tagOf(h)
	mask := len(index) - 1
	for i := int(tag>>p.shift) & mask; index[i].block != 0; i = (i + 1) & mask {
		if x := index[i]; x.tag == tag && p.hash[x.block-1] == h {
			return x.block - 1
		}
	}
	return -1
}

// remember enters a block. Equal content in a second block is entered behind
// the first: there is no gap between an entry's home and its place.
func (p *prefixCache) remember(b int32, h uint64) {
	index, tag := p.index, tagOf(h)
	mask := len(index) - 1
	i := int(tag>>p.shift) & mask
	for index[i].block != 0 {
		i = (i + 1) & mask
	}
	index[i] = indexEntry{b + 1, tag}
	p.hash[b] = h
}

// forget removes a block, and closes the gap by moving back the entries behind
// it that may move, in order.
func (p *prefixCache) forget(b int32) {
	index := p.index
	mask := len(index) - 1
	i := int(tagOf(p.hash[b])>>p.shift) & mask
	for index[i].block != b+1 {
		i = (i + 1) & mask
	}
	for j := (i + 1) & mask; index[j].block != 0; j = (j + 1) & mask {
		// An entry may move to i if its home is not behind i.
		if home := int(index[j].tag >> p.shift); (j-home)&mask >= (j-i)&mask {
			index[i] = index[j]
			i = j
		}
	}
	index[i] = indexEntry{}
	p.hash[b] = 0
}

// lookUp finds the longest run of leading full blocks of a request's present
// tokens in the cache, short of its last token, which must be computed to give
// the next. It leaves them in hits and counts those in the free queue.
func (p *prefixCache) lookUp(t *text, tokens, blockTokens int32) (hit, fromFree int32) {
	p.hits = p.hits[:0]
	for _, h := range t.hashes(int((tokens-1)/blockTokens), blockTokens) {
		b := p.find(h)
		if b < 0 {
			break
		}
		p.hits = append(p.hits, b)
		if p.held[b] == 0 {
			fromFree++
		}
	}
	return int32(len(p.hits)), fromFree
}

// share gives the blocks of the last lookup to a request.
func (k *kvCache) share(s *ServingSim, slot int32) {
	q, t := &s.seqs[slot], &s.texts[slot]
	if cap(t.blocks) == 0 && len(k.prefix.hits) > 0 {
		t.blocks = s.shelf.roomForBlocks(2 * len(k.prefix.hits))
	}
	for _, b := range k.prefix.hits {
		if k.prefix.hold(b) {
			k.free--
		}
		t.blocks = append(t.blocks, b)
	}
	t.indexed = int32(len(t.blocks))
	q.blocks = t.indexed
	q.room = q.blocks * k.blockTokens
}

// index enters the blocks of a request that are full with its first so many
// tokens.
func (k *kvCache) index(s *ServingSim, slot, tokens int32) {
	t := &s.texts[slot]
	if int64(tokens) < int64(t.indexed+1)*int64(k.blockTokens) {
		return
	}
	full := tokens / k.blockTokens
	s.effort += 4 * int64(full-t.indexed)
	hashes := t.hashes(int(full), k.blockTokens)
	for i := t.indexed; i < full; i++ {
		k.prefix.remember(t.blocks[i], hashes[i])
	}
	t.indexed = full
}
