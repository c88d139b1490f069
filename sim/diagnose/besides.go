package diagnose

import (
	"slices"

	"openloop/sim"
)

// What the verdict leaves unexplained. Two failures at once often have one clear
// key between them, and the second is then no verdict. But it may have moved a
// sign that the first does not move: that is said, without a name.
//
// Looked at are signs that stay where they are in most failures. What a cluster
// does that fills up, for whatever reason, tells nothing beside a failure that
// fills it.

// What a sign must do to be left over.
const (
	leftWidths  = 3.0 // widths it must have moved
	leftWindows = 3   // windows for which it must be out
)

var leftovers = [...]struct {
	sign   Sign
	move   sim.Move
	widths float64
}{
	{FirstAttempts, up, leftWidths},
	{prompts, up, leftWidths},
	{prompts, down, leftWidths},
	{outputs, up, leftWidths},
	{accepted, down, leftWidths},
	{hit, down, leftWidths},
	{RetryShare, up, leftWidths},
	{ReplicasDown, up, leftWidths},
	{ShareApart, up, leftWidths},
	{ITLApart, up, leftWidths},
	{ITLLeast, up, leftWidths},
	{KVPerRequest, up, leftWidths},
	{DecodeWaiting, up, leftWidths},
	{uneven, up, leftWidths + 1}, // by chance alone at times
	{queue, up, leftWidths},
	{ttft, up, leftWidths + 1},
	{batch, up, leftWidths + 1},
	{kv, up, leftWidths + 1},
	{preempts, up, leftWidths + 1},
}

// fills says whether a sign is up wherever a cluster is fuller than before.
func fills(s Sign) bool {
	return s == queue || s == ttft || s == batch || s == kv || s == preempts
}

// besides says whether a failure does this too, at times, although it is no
// evidence for it.
func besides(verdict string, s Sign) bool {
	switch verdict {
	case "retry_storm": // who comes twice pushes what is cached out
		return fills(s) || s == hit
	case "traffic_surge", "long_output_drift", "all_gpus_throttled", "cold_start", "replica_restart", "skewed_routing":
		return fills(s)
	case "long_prompt_flood": // prompts of one replica are longer than those of another
		return fills(s) || s == ShareApart || s == ITLApart
	case "straggler": // a router that looks at loads spares it
		return fills(s) || s == ShareApart
	case "draft_collapse":
		return s == queue || s == ttft || s == kv
	case "chunking_off": // whole prompts do not come to all replicas alike
		return s == ITLApart
	case "slow_kv_link":
		return s == ITLApart || s == preempts || s == batch
	}
	return false
}

// unexplained are the signs that moved clearly and that none of the failures in
// rows does, brings along, or moves in the matrix; the clearest first.
func (m *series) unexplained(rows ...*row) (out []Sign) {
	if m.how != WithNormal {
		return nil
	}
	for _, x := range leftovers {
		f := &m.found[x.sign]
		if !f.Known || f.Move != x.move || f.Widths < x.widths || f.To-f.From < leftWindows {
			continue
		}
		if !slices.ContainsFunc(rows, func(r *row) bool { return m.does(r, x.sign, x.move) }) {
			out = append(out, x.sign)
		}
	}
	slices.SortStableFunc(out, func(a, b Sign) int {
		switch x, y := m.found[a].Widths, m.found[b].Widths; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return out
}

// does says whether a failure accounts for a move.
func (m *series) does(r *row, s Sign, move sim.Move) bool {
	if m.explained(r, &line{sign: s, move: move}) || besides(r.verdict, s) {
		return true
	}
	id, ok := s.Signal()
	e, known := sim.Signature(r.verdict)
	return ok && known && e.Moves[id] == move
}
