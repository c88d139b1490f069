package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Options say what a sample keeps.
type Options struct {
	Salt    []byte  // at least MinSalt bytes; the same salt gives the same sample
	Window  float64 // seconds of one stretch of time; 0 is the whole trace
	Windows int     // how many of them; they do not overlap
	Share   float64 // of the sessions, 0 < Share <= 1
	Gaps    bool    // keep the silence between stretches, instead of joining them
}

// MinSalt is the shortest salt, in bytes. A short one could be guessed.
const MinSalt = 16

// MinSession is how many requests a session must have in the mean for a share of
// the sessions to be taken. Where nearly every session is one request, a share of
// them is a share of the requests, which has neither their bursts nor their reuse.
const MinSession = 2

// oneInTwenty is how many requests may begin alike and still be one session.
const oneInTwenty = 0.05

// Redact takes a sample of a trace and removes what must not leave the house.
// Times are milliseconds from the first request that is kept.
func Redact(t *Trace, o Options) (*Trace, error) {
	switch {
	case len(o.Salt) < MinSalt:
		return nil, fmt.Errorf("the salt has %d bytes; it takes %d or more, so that nobody can guess it", len(o.Salt), MinSalt)
	case !(o.Share > 0 && o.Share <= 1):
		return nil, fmt.Errorf("a share of %v of the sessions; it is above 0 and at most 1", o.Share)
	case math.IsNaN(o.Window) || math.IsInf(o.Window, 0) || o.Window < 0:
		return nil, fmt.Errorf("a window of %v s; it is 0 or more", o.Window)
	case o.Windows < 1:
		return nil, fmt.Errorf("%d windows; 1 or more", o.Windows)
	}
	k := keyed(o.Salt)
	rows, err := k.stretches(t.Rows, o)
	if err != nil {
		return nil, err
	}
	kept, sessions := 0, 0
	if o.Share < 1 && len(rows) > 0 {
		if rows, kept, sessions, err = k.sessions(rows, o.Share); err != nil {
			return nil, err
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("nothing is left of the trace: take longer windows, or a larger share")
	}
	out := &Trace{Form: t.Form, Rows: rows, Kept: kept, Sessions: sessions}
	origin := rows[0].At
	names, from := map[string]string{}, map[string]string{}
	for i := range out.Rows {
		row := &out.Rows[i]
		row.At -= origin
		if row.Session != "" {
			row.Session = k.name("session", row.Session)
		}
		if row.Blocks == nil {
			continue
		}
		blocks := make([]string, len(row.Blocks))
		for j, b := range row.Blocks {
			name, known := names[b]
			if !known {
				name = k.name("block", b)
				if _, taken := from[name]; taken {
					return nil, errors.New("two blocks get the same hash with this salt; take another one")
				}
				names[b], from[name] = name, b
			}
			blocks[j] = name
		}
		row.Blocks = blocks
	}
	return out, nil
}

// keyed is a salt: everything that is chosen or renamed hangs on it alone.
type keyed []byte

// number is a keyed hash of a word, below 2^53, so that JSON keeps it exactly.
func (k keyed) number(kind, word string) uint64 {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(kind + "\x00" + word))
	return binary.BigEndian.Uint64(h.Sum(nil)) >> 11
}

func (k keyed) name(kind, word string) string {
	return strconv.FormatUint(k.number(kind, word), 10)
}

// share is a keyed number in [0, 1).
func (k keyed) share(kind, word string) float64 { return float64(k.number(kind, word)) / (1 << 53) }

// stretches keeps every request of some stretches of time, and no other.
func (k keyed) stretches(rows []Row, o Options) ([]Row, error) {
	if o.Window == 0 {
		return slices.Clone(rows), nil
	}
	width := 1000 * o.Window
	first, last := rows[0].At, rows[len(rows)-1].At
	free := last - first - float64(o.Windows)*width
	if free < 0 {
		return nil, fmt.Errorf("the trace is %.0f s long; %d × %v s do not fit", (last-first)/1000, o.Windows, o.Window)
	}
	// So many places in what is left over, in order; each stretch moves the next.
	places := make([]float64, o.Windows)
	for i := range places {
		places[i] = free * k.share("window", strconv.Itoa(i))
	}
	slices.Sort(places)
	var out []Row
	for i, place := range places {
		from := first + place + float64(i)*width
		shift := 0.0
		if !o.Gaps {
			shift = from - (first + float64(i)*width)
		}
		for _, row := range rows {
			if row.At >= from && row.At < from+width {
				row.At -= shift
				out = append(out, row)
			}
		}
	}
	return out, nil
}

// sessions keeps whole sessions, each with the same chance: kept of so many.
func (k keyed) sessions(rows []Row, share float64) (out []Row, kept, sessions int, err error) {
	of, err := Sessions(rows)
	if err != nil {
		return nil, 0, 0, err
	}
	keep := map[string]bool{}
	for i, row := range rows {
		session := of[i]
		in, known := keep[session]
		if !known {
			if in = k.share("keep", session) < share; in {
				kept++
			}
			keep[session] = in
		}
		if in {
			out = append(out, row)
		}
	}
	if sessions = len(keep); len(rows) < MinSession*sessions {
		return nil, 0, 0, fmt.Errorf("%d requests make %d sessions, %.3g requests a session; below %d a share of the sessions would thin the requests, and with them the bursts: take windows of time (-window) instead",
			len(rows), sessions, float64(len(rows))/float64(sessions), MinSession)
	}
	return out, kept, sessions, nil
}

// Sessions says for each row which session it belongs to: the one that the trace
// names, or else the requests that begin with the same blocks, down to the first
// block that no more than one request in twenty has. What more begin with is a
// system prompt and no session.
func Sessions(rows []Row) ([]string, error) {
	out := make([]string, len(rows))
	if rows[0].Session != "" {
		for i, row := range rows {
			out[i] = row.Session
			if row.Session == "" {
				out[i] = "row " + strconv.Itoa(i) // a request by itself
			}
		}
		return out, nil
	}
	if rows[0].Blocks == nil {
		return nil, errors.New("the trace has neither sessions nor hashes of blocks, so that a share of its requests would thin it: take windows of time")
	}
	most := max(2, int(oneInTwenty*float64(len(rows))))
	all := make([]int, len(rows))
	for i := range all {
		all[i] = i
	}
	groups := []group{{rows: all}}
	for len(groups) > 0 {
		g := groups[len(groups)-1]
		groups = groups[:len(groups)-1]
		if g.depth > 0 && len(g.rows) <= most {
			for _, i := range g.rows {
				out[i] = "prefix " + strconv.Itoa(g.rows[0])
			}
			continue
		}
		next := map[string][]int{}
		for _, i := range g.rows {
			if g.depth >= len(rows[i].Blocks) {
				out[i] = "row " + strconv.Itoa(i)
				continue
			}
			b := rows[i].Blocks[g.depth]
			next[b] = append(next[b], i)
		}
		for _, rows := range next {
			groups = append(groups, group{rows, g.depth + 1})
		}
	}
	return out, nil
}

// group is rows that begin with the same depth blocks.
type group struct {
	rows  []int
	depth int
}
