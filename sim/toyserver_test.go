package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sent is a request as the toy server saw it.
type sent struct {
	Spec
	EndedAt Nanos
	Status  Status
}

// toy ends each request a given time after it was sent. It drives a source as
// the simulator does: ends before requests at one instant.
type toy struct {
	service func(i int32, r *Spec) (Nanos, Status)
	limit   int // stop after this many requests
}

// hold is an assertion that costs nothing when it holds: there are millions.
func hold(t testing.TB, ok bool, law string, request int) {
	if !ok {
		t.Helper()
		t.Fatalf("broken at request %d: %s", request, law)
	}
}

// fixed is a toy on which each request takes d.
func fixed(d Nanos, limit int) toy {
	return toy{func(int32, *Spec) (Nanos, Status) { return d, Completed }, limit}
}

// random is a toy on which requests take an exponential time.
func random(mean Nanos, limit int) toy {
	r := NewRand(99, StreamFaults, 0)
	return toy{func(int32, *Spec) (Nanos, Status) { return ThinkTime{mean, true}.draw(&r), Completed }, limit}
}

func (s toy) run(t testing.TB, src Source) []sent {
	t.Helper()
	var all []sent
	var ends wakeups
	before := Nanos(0)
	for len(all) < s.limit {
		at, ok := src.Next()
		end, ending := ends.first()
		if ending && (!ok || end.at <= at) {
			ends.pop()
			hold(t, end.at >= before, "ends are in order", len(all))
			before = end.at
			src.Ended(end.who, end.at, all[end.who].Status)
			continue
		}
		if !ok {
			break
		}
		hold(t, at >= before, "nothing is sent in the past", len(all))
		before = at
		var r Spec
		src.Take(&r)
		hold(t, r.SentAt == at, "sent when Next said", len(all))
		hold(t, r.IntendedAt <= r.SentAt, "not sent before it is planned", len(all))
		hold(t, r.Prompt >= 1 && r.Output >= 1, "has tokens", len(all))
		r.Prefix = append([]Segment(nil), r.Prefix...)
		i := int32(len(all))
		d, status := s.service(i, &r)
		all = append(all, sent{r, at + d, status})
		ends.push(at+d, i)
	}
	return all
}

// inFlight counts the requests in the system at t, those sent at t included and
// those that end at t not.
func inFlight(all []sent, t Nanos) int {
	n := 0
	for _, r := range all {
		if r.SentAt <= t && t < r.EndedAt {
			n++
		}
	}
	return n
}

func mustSource(t testing.TB, w Workload, seed uint64) Source {
	t.Helper()
	src, err := NewSource(w, seed)
	require.NoError(t, err)
	return src
}

// gaps are the times in seconds between requests, the first from 0.
func gaps(all []sent) []float64 {
	x, before := make([]float64, len(all)), Nanos(0)
	for i, r := range all {
		x[i] = (r.SentAt - before).Seconds()
		before = r.SentAt
	}
	return x
}

var chat = Separate{
	Prompt: NormalCount{Mean: 512, SD: 256, Min: 16, Max: 2048},
	Output: NormalCount{Mean: 192, SD: 96, Min: 1, Max: 768},
}
