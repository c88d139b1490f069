package prose

import (
	"fmt"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/content/demo/verdict"
	"openloop/planner"
	"openloop/planner/profile"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// What the cheat sheet says beyond the chapters: its few numbers that no demo
// shows, and its table of signals.

var sheetClaims = []Claim{
	{"sheet-kv-token", "A token of Llama 3.1 70B takes 327,680 bytes of KV in bf16: 2 × 80 layers × 8 heads × 128 × 2.", sheetKVToken},
	{"sheet-ridge", "On an H100 in bf16 arithmetic takes over at a batch of 295; the sum fits published rows better than the longer, for half of the error or less.", sheetRidge},
	{"sheet-wait", "One server, Poisson arrivals, equal service times: the mean wait is 0.5 service times at 50% and 4.5 at 90%.", sheetWait},
	{"sheet-accepted", "Four drafts that are accepted with 0.7 give 2.77 tokens a verification.", sheetAccepted},
}

func sheetKVToken() error {
	m, ok := profile.FindModel("llama-3.1-70b")
	if !ok {
		return fmt.Errorf("there is no Llama 3.1 70B")
	}
	counted := 2 * m.Layers * m.KVHeads * m.HeadDim * 2
	return first(between("bytes counted", float64(counted), 327_680, 327_680), between("bytes of the planner", m.KVBytes(1, profile.BF16.Bytes()), 327_680, 327_680))
}

func sheetRidge() error {
	g, ok := profile.FindGPU("h100-sxm")
	if !ok {
		return fmt.Errorf("there is no H100")
	}
	batch, err := planner.CriticalBatch(g, profile.BF16, 2)
	return first(err, between("batch", batch, 294.5, 295.5), truthForm())
}

func sheetWait() error {
	for _, c := range []struct{ busy, wait float64 }{{0.5, 0.5}, {0.9, 4.5}} {
		got, err := planner.MeanWait(1, c.busy, 1, 1, 0)
		if err := first(err, between("wait", got, c.wait-1e-9, c.wait+1e-9)); err != nil {
			return err
		}
	}
	return nil
}

func sheetAccepted() error {
	got, err := planner.ExpectedTokens(0.7, 4)
	return first(err, between("tokens", got, 2.75, 2.85))
}

// signalRemedies is the table of signals for a sheet of paper: in which failures
// each is among the first to leave its band, by the matrix, by what those that
// begin alike are told apart, and the remedy of table A: for what it points at
// where the others have little to say.
func signalRemedies() demo.Table {
	t := demo.Table{Caption: "What moved first, what to look at next; moving alone, its remedy", Columns: []demo.Column{{Name: "First"}, {Name: "may be (told by). Alone, it is: remedy"}}}
	for _, x := range diagnose.Isolates() {
		id := x.Signal
		name, says := id.Describe().Name, "first in none: look what moved before it"
		var may []string
		for _, l := range firstIn(id) {
			e, _ := sim.Signature(l.ID)
			name = id.Describe().Name + " " + arrowOf(e.Moves[id]) // the same in all of them
			tells, move := diagnose.Tells(l.ID, diagnose.SignOf(id))
			by := verdict.Sign(tells)
			switch {
			case move == sim.Down:
				by += " ▼"
			case tells.State() && move != sim.Up:
				by = "not: " + by
			}
			may = append(may, l.Name+" ("+by+")")
		}
		switch len(may) {
		case 0:
		case 1:
			says = firstIn(id)[0].Name
		default:
			says = text.List(may, "or")
		}
		alone := verdict.Name(x.Verdict)
		if says == alone {
			says += ": " + shortRemedy(x.Remedy)
		} else {
			says += ". Alone, " + alone + ": " + shortRemedy(x.Remedy)
		}
		t.Rows = append(t.Rows, []demo.Cell{demo.W(name), demo.W(says)})
	}
	return t
}

// shortRemedy is a remedy up to where it goes on to say how, or until when.
func shortRemedy(r diagnose.Remedy) string {
	says := verdict.Remedy(r)
	if i := strings.IndexAny(says, ":;"); i >= 0 {
		says = says[:i]
	}
	return says
}

// firstIn are the levers under which a signal is the first to move.
func firstIn(id sim.SignalID) (out []sim.Lever) {
	for _, l := range sim.Levers() {
		if e, ok := sim.Signature(l.ID); ok && e.First == id && e.Moves[id] != sim.Flat {
			out = append(out, l)
		}
	}
	return out
}

// kvFirst: what is first and what a signal isolates are two things.
func kvFirst() error {
	names := ""
	for _, l := range firstIn(sim.KVOccupancy) {
		names += " " + l.ID
	}
	if names != " long_prompt_flood kv_squeeze replica_restart skewed_routing" {
		return fmt.Errorf("KV occupancy is first in%s", names)
	}
	all := 0
	for id := range sim.NumSignals {
		all += len(firstIn(id))
	}
	if all != len(sim.Levers()) || len(firstIn(sim.TTFTp99)) != 0 || len(firstIn(sim.PreemptionRate)) != 0 {
		return fmt.Errorf("%d of %d levers have a first signal in the sheet", all, len(sim.Levers()))
	}
	return nil
}
