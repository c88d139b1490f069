package room

import "openloop/sim"

// Replay gives the room of a run at any time, by running it again up to then.
// Going on is quick; going back begins anew. What the run records for its
// figures is not recorded again.
type Replay struct {
	// Letters calls the requests A, B, C; there are at most 26.
	Letters bool

	config sim.Config
	source func() sim.Source
	seed   uint64

	s     *sim.ServingSim
	at    sim.Nanos // the time to show
	snap  sim.Snapshot
	frame Frame
	drawn bool    // frame is that of at
	tries []int32 // by first attempt: attempts at it so far
	which []int32 // by request: the how-manieth attempt it is
	asked int     // request that RoomSays was last asked about, -1 for none
}

// New makes the replay of a run that is known to be legal: sources are made as
// that of the run was.
func New(c sim.Config, source func() sim.Source, seed uint64) *Replay {
	c.TraceSteps, c.SampleEvery = 0, 0
	return &Replay{config: c, source: source, seed: seed, asked: -1}
}

// Stand goes to a time.
func (r *Replay) Stand(at sim.Nanos) {
	if at != r.at || r.s == nil {
		r.at, r.drawn = max(0, at), false
	}
}

// Room is that of demo.Scenic.
func (r *Replay) Room(dst []float64) []float64 { return r.Frame().Append(dst) }

// Frame is the room at the time of the last Stand, valid until the next.
func (r *Replay) Frame() *Frame {
	if r.drawn {
		return &r.frame
	}
	if r.s == nil || r.s.Now() > r.at {
		s, err := sim.New(r.config, r.source(), r.seed)
		if err != nil {
			panic("demo: " + err.Error())
		}
		r.s = s
	}
	r.s.RunUntil(r.at)
	r.s.Snapshot(&r.snap)
	r.frame = Frame{
		At: r.at.Seconds(), BlockTokens: r.config.Engine.BlockTokens, Letters: r.Letters,
		Replicas: r.frame.Replicas[:0], Requests: r.frame.Requests[:0],
	}
	results := r.s.Results()
	r.count(results)
	for i := range r.snap.Replicas {
		r.frame.Replicas = append(r.frame.Replicas, replicaOf(&r.snap.Replicas[i]))
	}
	r.list(results)
	r.drawn = true
	return &r.frame
}

// count says what has become of all requests, and which attempt each is.
func (r *Replay) count(results *sim.Results) {
	f := &r.frame
	f.Sent, f.PutBack = len(results.Status), int(results.Totals.Preempted)
	for _, s := range results.Status {
		switch s {
		case sim.Completed:
			f.Completed++
		case sim.Failed, sim.Dropped:
			f.Refused++
		case sim.TimedOut:
			f.TimedOut++
		case sim.Aborted:
			f.Lost++
		}
	}
	r.tries, r.which = r.tries[:0], r.which[:0]
	for i := range results.Status {
		first := i
		if results.Repeats(i) {
			first = int(results.Origin[i])
			f.Again++
		}
		r.tries = append(r.tries, 0)
		r.tries[first]++
		r.which = append(r.which, r.tries[first])
	}
}

// Asked is when the request that RoomSays was last asked about was sent and
// when it ended, or the time that is shown if it has not; ok is false if there
// is no such request yet.
func (r *Replay) Asked() (name string, from, to float64, ok bool) {
	if r.asked < 0 || r.asked >= r.Frame().Sent {
		return "", 0, 0, false
	}
	results := r.s.Results()
	from, to = seconds(results.SentAt[r.asked]), r.frame.At
	if results.Status[r.asked].Final() {
		to = seconds(results.DoneAt[r.asked])
	}
	return r.frame.Name(r.asked), from, to, true
}

func replicaOf(x *sim.ReplicaState) Replica {
	return Replica{
		Presence: x.Presence, Slower: x.Slower, Waiting: int(x.Waiting), Running: int(x.Running), Seats: int(x.Seats),
		Blocks: int(x.Blocks), Held: int(x.Held), Shared: int(x.Shared), Kept: int(x.Kept), Lost: int(x.Lost),
		Evicted: int(x.Evicted), Host: int(x.Host), From: seconds(x.Start), To: seconds(x.End),
		Prefill: int(x.Prefill), Decode: int(x.Decode), Budget: int(x.Budget), PrefillOnly: x.PrefillOnly,
	}
}

// list adds the requests that are in the room.
func (r *Replay) list(results *sim.Results) {
	queued, replica := 0, int32(-1)
	for i := range r.snap.Requests {
		x := &r.snap.Requests[i]
		if x.Replica != replica {
			queued, replica = 0, x.Replica
		}
		if x.Place == sim.InQueue {
			if queued++; queued > MostQueued {
				continue
			}
		}
		n := x.Request
		r.frame.Requests = append(r.frame.Requests, Request{
			ID: int(n), Replica: int(x.Replica), Place: x.Place,
			Prompt: int(results.Prompt[n]), Output: int(results.Output[n]), Generated: int(x.Generated),
			Target: target(x, results.Prompt[n]), Computed: int(x.Computed), Blocks: int(x.Blocks), Shared: int(x.Shared),
			Tokens: int(x.Tokens), Waits: x.PutBack, Stored: x.Stored, PutBack: int(results.Preemptions[n]), Attempt: int(r.which[n]), Cached: int(results.Cached[n]),
			Sent: seconds(results.SentAt[n]), Admitted: seconds(results.AdmittedAt[n]), FirstToken: seconds(results.FirstTokenAt[n]),
		})
	}
}

// target is how many tokens a request has to compute before its next one comes
// out; of one that waits it is known once it is admitted, but no other is likely.
func target(x *sim.RequestState, prompt int32) int {
	if x.Place == sim.InQueue {
		return int(prompt + x.Generated)
	}
	return int(x.Target)
}

func seconds(t sim.Nanos) float64 {
	if t == sim.Never {
		return Never
	}
	return t.Seconds()
}
