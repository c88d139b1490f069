package sim

import (
	"math/rand/v2"
	"slices"

	"openloop/numerics/detmath"
)

// A first-come-first-served queue, small enough to be seen through, makes the
// results on which reports, verdicts and warm-up are tested.

type fifo struct {
	servers    int
	maxWaiting int   // 0: no limit
	patience   Nanos // 0: endless
	horizon    Nanos // 0: none
	sentAt     []Nanos
	client     func(i int) int32
}

// run serves requests due at these instants, in order. A first token comes
// after a tenth of the service, ten more evenly after it.
func (f fifo) run(due, service []Nanos) *Results {
	r := &Results{}
	free := make([]Nanos, max(f.servers, 1))
	var admitted []Nanos
	for i, at := range due {
		sent := at
		if f.sentAt != nil {
			sent = f.sentAt[i]
		}
		if f.horizon > 0 && sent > f.horizon {
			break
		}
		client := int32(-1)
		if f.client != nil {
			client = f.client(i)
		}
		r.IntendedAt = append(r.IntendedAt, at)
		r.SentAt = append(r.SentAt, sent)
		r.Prompt = append(r.Prompt, 100)
		r.Output = append(r.Output, 11)
		r.Client = append(r.Client, client)
		r.Replica = append(r.Replica, 0)
		r.Session = append(r.Session, -1)
		r.Turn = append(r.Turn, 0)
		r.Cached = append(r.Cached, 0)
		r.Preemptions = append(r.Preemptions, 0)
		server := slices.Index(free, slices.Min(free))
		start := max(sent, free[server])
		waiting := 0
		for k := len(admitted) - 1; f.maxWaiting > 0 && k >= 0 && admitted[k] > sent; k-- {
			waiting++
		}
		admit, first, done, status := start, start+service[i]/10, start+service[i], Completed
		switch {
		case f.maxWaiting > 0 && start > sent && waiting >= f.maxWaiting:
			admit, first, done, status = Never, Never, sent, Dropped
		case f.patience > 0 && start-sent > f.patience:
			admit, first, done, status = Never, Never, sent+f.patience, TimedOut
		default:
			free[server] = done
			admitted = append(admitted, start)
		}
		generated := int32(11)
		if status != Completed {
			generated = 0
		}
		if f.horizon > 0 && done > f.horizon {
			done, status = Never, Running
			if admit > f.horizon {
				admit, status = Never, Waiting
			}
			if first > f.horizon {
				first, generated = Never, 0
			}
		}
		if first != Never {
			r.ITL.Add((service[i]*9/10).Picos()/10, 10)
		}
		r.AdmittedAt = append(r.AdmittedAt, admit)
		r.FirstTokenAt = append(r.FirstTokenAt, first)
		r.DoneAt = append(r.DoneAt, done)
		r.Generated = append(r.Generated, generated)
		r.Status = append(r.Status, status)
		if done != Never {
			r.EndAt = max(r.EndAt, done)
		}
		if admit != Never {
			r.Totals.BusyPicos += (min(done, max(f.horizon, start+service[i])) - admit).Picos()
		}
	}
	if f.horizon > 0 {
		r.EndAt = f.horizon
	}
	return r
}

// fifoRandom draws n random arrivals at load times the rate that servers with
// exponential service of mean 1 s each can take.
func fifoRandom(seed uint64, n, servers int, load float64) (due, service []Nanos) {
	rng := rand.New(rand.NewPCG(seed, 1))
	exp := func() float64 { return -detmath.Log(1 - rng.Float64()) }
	at := 0.0
	for range n {
		at += exp() / (load * float64(servers))
		due = append(due, Seconds(at))
		service = append(service, max(Seconds(exp()), 10))
	}
	return due, service
}
