package room

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
)

// The room in words and tables: whoever does not see the picture misses nothing.

// mostRows of a table of requests.
const mostRows = 20

// Name is what a request is called.
func (f *Frame) Name(id int) string {
	if f.Letters {
		return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[id : id+1]
	}
	return text.Whole(id + 1)
}

// Count is the requests at a place; replica -1 is all.
func (f *Frame) Count(place sim.Place, replica int) (n int) {
	for i := range f.Requests {
		if q := &f.Requests[i]; q.Place == place && (replica < 0 || q.Replica == replica) {
			n++
		}
	}
	return n
}

// RoomSays is that of demo.Scenic.
func (r *Replay) RoomSays(request int) demo.RoomSays {
	f := r.Frame()
	out := demo.RoomSays{Says: f.says(), Replicas: f.replicaTable(), Requests: f.requestTable(), Picked: demo.Table{}}
	for i := range f.Requests {
		out.IDs = append(out.IDs, f.Requests[i].ID)
		out.Names = append(out.Names, f.Name(f.Requests[i].ID))
	}
	if r.asked = request; request >= 0 && request < f.Sent {
		out.Picked = f.story(request, r)
	}
	return out
}

func (f *Frame) says() demo.Sentence {
	var all Replica
	var down []string
	for i, r := range f.Replicas {
		all.Waiting += r.Waiting
		all.Blocks += r.Blocks
		all.Held += r.Held
		all.Shared += r.Shared
		all.Kept += r.Kept
		all.Lost += r.Lost
		all.Evicted += r.Evicted
		if r.Presence != sim.IsUp {
			down = append(down, "replica "+text.Whole(i+1)+" is "+presence(r.Presence))
		}
	}
	waits := text.Count(all.Waiting, "request waits", "requests wait")
	if all.Waiting == 0 {
		waits = "no request waits"
	}
	out := demo.Say("At "+moment(f.At)+" ", waits, ", "+text.Whole(f.Count(sim.InPrefill, -1))+" "+text.Verb(f.Count(sim.InPrefill, -1), "is", "are")+" in prefill, "+
		text.Whole(f.Count(sim.InDecode, -1))+" "+text.Verb(f.Count(sim.InDecode, -1), "decodes", "decode")+". ",
		text.Whole(all.Held)+" of "+text.Count(all.Blocks, "KV block", "KV blocks"), " "+text.Verb(all.Held, "is", "are")+" held")
	also := func(n int, what string) {
		if n > 0 {
			out = append(out, demo.Say(", "+text.Whole(n)+" "+what)...)
		}
	}
	also(all.Shared, "of them by several requests")
	also(all.Kept, "kept for a prompt that begins alike")
	also(all.Lost, "lost")
	out = append(out, demo.Say(".")...)
	if len(down) > 0 {
		out = append(out, demo.Say(" ", capital(text.List(down, "and")), ".")...)
	}
	if past := f.past(all.Evicted); len(past) > 0 {
		out = append(out, demo.Say(" So far: "+text.List(past, "and")+".")...)
	}
	return out
}

// past is what has happened up to now that the room itself does not show.
func (f *Frame) past(evicted int) (out []string) {
	add := func(n int, one, many string) {
		if n > 0 {
			out = append(out, text.Count(n, one, many))
		}
	}
	add(f.Completed, "answer complete", "answers complete")
	add(f.PutBack, "request put back", "requests put back")
	add(f.TimedOut, "client gave up", "clients gave up")
	add(f.Again, "request sent again", "requests sent again")
	add(f.Refused, "request refused", "requests refused")
	add(f.Lost, "request lost with a replica", "requests lost with a replica")
	add(evicted, "kept KV block written over", "kept KV blocks written over")
	return out
}

// moment is a time with as many digits as tell steps apart.
func moment(seconds float64) string {
	if seconds < 1 {
		return text.Num(1e3*seconds, 4) + " ms"
	}
	return text.Num(seconds, 6) + " s"
}

func presence(p sim.Presence) string {
	switch p {
	case sim.IsDraining:
		return "being emptied"
	case sim.IsOff:
		return "down"
	case sim.IsBooting:
		return "starting"
	}
	return "up"
}

func (f *Frame) replicaTable() demo.Table {
	t := demo.Table{Caption: "Replicas", Columns: []demo.Column{
		{Name: "Replica"}, {Name: "State"}, {Name: "Waiting"}, {Name: "In prefill"}, {Name: "Decoding"}, {Name: "Seats"},
		{Name: "Step: prompt tokens"}, {Name: "Step: decode tokens"},
		{Name: "KV blocks"}, {Name: "Held"}, {Name: "Shared"}, {Name: "Kept"}, {Name: "Lost"}, {Name: "Written over so far"},
	}}
	for i, r := range f.Replicas {
		state := presence(r.Presence)
		if r.Slower > 1 {
			state += ", steps take " + text.Num(r.Slower, 2) + " times as long"
		}
		row := []demo.Cell{demo.W(text.Whole(i + 1)), demo.W(state)}
		for _, n := range []int{
			r.Waiting, f.Count(sim.InPrefill, i), f.Count(sim.InDecode, i), r.Seats, r.Prefill, r.Decode,
			r.Blocks, r.Held, r.Shared, r.Kept, r.Lost, r.Evicted,
		} {
			row = append(row, demo.N(float64(n)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Where a request is, in words.
func (q *Request) Where() string {
	switch {
	case q.Place == sim.InPrefill:
		return "prefill"
	case q.Place == sim.InDecode:
		return "decode"
	case q.Place == sim.OnLink:
		return "its KV is being sent"
	case q.Waits:
		return "queue, put back"
	}
	return "queue"
}

func (f *Frame) requestTable() demo.Table {
	t := demo.Table{Caption: "Requests in the room", Columns: []demo.Column{
		{Name: "Request"}, {Name: "Replica"}, {Name: "Where"}, {Name: "Computed", Unit: "tokens"}, {Name: "Of"}, {Name: "Given out", Unit: "tokens"}, {Name: "Of"},
		{Name: "In this step", Unit: "tokens"}, {Name: "KV blocks"}, {Name: "Shared"}, {Name: "Put back", Unit: "times"}, {Name: "Attempt"},
	}}
	for i := range f.Requests[:min(len(f.Requests), mostRows)] {
		q := &f.Requests[i]
		row := []demo.Cell{demo.W(f.Name(q.ID)), demo.N(float64(q.Replica + 1)), demo.W(q.Where())}
		for _, n := range []int{q.Computed, max(q.Target, q.Computed), q.Generated, q.Output, q.Tokens, q.Blocks, q.Shared, q.PutBack, q.Attempt} {
			row = append(row, demo.N(float64(n)))
		}
		t.Rows = append(t.Rows, row)
	}
	if more := len(f.Requests) - mostRows; more > 0 {
		t.Caption += ", the first " + text.Whole(mostRows) + " of " + text.Whole(len(f.Requests))
	}
	return t
}

// story is what has become of a request so far, and when.
func (f *Frame) story(id int, replay *Replay) demo.Table {
	r := replay.s.Results()
	t := demo.Table{Caption: "Request " + f.Name(id), Columns: []demo.Column{{Name: "What"}, {Name: "When"}}}
	add := func(what, when string) { t.Rows = append(t.Rows, []demo.Cell{demo.W(what), demo.W(when)}) }
	at := func(what string, n sim.Nanos) {
		if n != sim.Never {
			add(what, moment(n.Seconds()))
		}
	}
	what := "Sent"
	if n := replay.which[id]; n > 1 {
		what = "Sent again, attempt " + text.Whole(int(n)) + " of request " + f.Name(int(r.Origin[id]))
	}
	at(what+": a prompt of "+text.Count(int(r.Prompt[id]), "token", "tokens")+" that asks for "+text.Count(int(r.Output[id]), "token", "tokens"), r.SentAt[id])
	at("Admitted, with "+text.Count(int(r.Cached[id]), "token", "tokens")+" from the prefix cache", r.AdmittedAt[id])
	at("First token", r.FirstTokenAt[id])
	for _, p := range r.PutBacks {
		if int(p.Request) == id {
			at("Put back", p.At)
			at("Admitted again", p.Again)
		}
	}
	if s := r.Status[id]; s.Final() {
		at(ended(s)+", with "+text.Whole(int(r.Generated[id]))+" tokens given out", r.DoneAt[id])
	} else if q := f.Find(id); q != nil {
		add("Now: "+q.Where()+", "+text.Whole(q.Generated)+" of "+text.Count(q.Output, "token", "tokens")+" given out, "+
			text.Count(q.Blocks, "KV block", "KV blocks")+" held", moment(f.At))
	} else {
		add("Now: far back in the queue", moment(f.At))
	}
	return t
}

func ended(s sim.Status) string {
	switch s {
	case sim.Completed:
		return "Complete"
	case sim.TimedOut:
		return "Its client gave up"
	case sim.Aborted:
		return "Lost with its replica"
	case sim.Dropped:
		return "Refused at the door"
	}
	return "Refused: it can never fit"
}

// capital begins a sentence.
func capital(s string) string { return string(s[0]-'a'+'A') + s[1:] }
