package sim

// SharedPrefixes puts a common text, such as a system prompt, before the
// prompts of some requests: its tokens come on top of the drawn prompt length,
// as with vLLM's --random-prefix-len. Zero is off.
type SharedPrefixes struct {
	Prefixes int     // how many different texts
	Tokens   int32   // in each
	Zipf     float64 // the k-th most popular is drawn with weight 1/k^Zipf; 0 makes all equal
	Share    float64 // share of the requests (of sessions, if there are any) that have one
}

const maxPrefixes = 100_000

func (s SharedPrefixes) check(c *checker, field string) {
	if s == (SharedPrefixes{}) {
		return
	}
	c.int(field+".Prefixes", int64(s.Prefixes), 1, maxPrefixes)
	c.int(field+".Tokens", int64(s.Tokens), 1, MaxTokens)
	c.float(field+".Zipf", s.Zipf, 0, 10)
	c.float(field+".Share", s.Share, 0, 1)
}

// sharing draws prefixes.
type sharing struct {
	s SharedPrefixes
	z zipf
}

func newSharing(s SharedPrefixes) sharing {
	if s.Prefixes == 0 {
		return sharing{}
	}
	return sharing{s: s, z: newZipf(s.Prefixes, s.Zipf)}
}

// draw is the prefix of a request; its Tokens are 0 if it has none. It always
// takes two numbers, so that Share and Zipf can change alone.
func (s *sharing) draw(r *Rand) Segment {
	if s.s.Prefixes == 0 {
		return Segment{}
	}
	has := r.Float64() < s.s.Share
	k := s.z.draw(r)
	if !has {
		return Segment{}
	}
	return Segment{ID: segmentID(sharedText, uint64(k), 0), Tokens: s.s.Tokens}
}

// Kinds of text that sources name. An ID is the kind, a number and a number
// within it; none is 0.
const (
	sharedText = iota + 1 // a shared prefix
	userText              // what a session's user says in a turn
	answerText            // what it is answered
)

func segmentID(kind, n, m uint64) uint64 { return kind<<56 | n<<24 | m }
