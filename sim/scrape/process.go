package scrape

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// A log may hold the lines of several processes: of the pods that kubectl logs
// --prefix or stern follows, of the containers of docker compose logs, or of
// files put one behind the other. Read as one server they give nonsense, for
// each says engine 0. Those that are told apart become replicas.

// Mix is how many processes wrote a log, as far as it can be told.
type Mix uint8

// The mixes.
const (
	OneProcess  Mix = iota // or nothing says otherwise
	SideBySide             // several at a time, each a replica of the reading
	InTurn                 // one after another, as after a restart: read as one
	Inseparable            // several at a time, and nothing tells their lines apart
)

// jumpBack is by how many seconds the lines of one engine must fall back for
// another file to begin: lines of threads may come a little out of order.
const jumpBack = 5

// processOf names the process of a line by what stands at its start: the pod
// and container of kubectl logs --prefix, the container of docker compose logs,
// or the number in "(APIServer pid=7)". It is empty if none of them does.
func processOf(head string) string {
	if rest, ok := strings.CutPrefix(head, "[pod/"); ok {
		if name, _, ok := strings.Cut(rest, "]"); ok && isName(name) {
			return name
		}
	}
	if name, _, ok := strings.Cut(head, " | "); ok {
		if name = strings.TrimRight(name, " "); isName(name) {
			return name
		}
	}
	if _, rest, ok := strings.Cut(head, " pid="); ok {
		if id, _, ok := strings.Cut(rest, ")"); ok && id != "" && strings.Trim(id, "0123456789") == "" {
			return "process " + id
		}
	}
	return ""
}

// isName says that s can be the name of a pod or a container.
func isName(s string) bool {
	if s == "" || len(s) > 200 {
		return false
	}
	for _, c := range []byte(s) {
		if !digit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '_' && c != '.' && c != '/' {
			return false
		}
	}
	return true
}

// separate tells the processes of a log's lines apart and makes a replica of
// each, if they wrote at the same time. names are the processes, if there are
// several.
func separate(events []event) (mix Mix, names []string) {
	timed := true
	for i := range events {
		timed = timed && (events[i].timed || !events[i].kind.gauges())
	}
	if names = named(events); len(names) < 2 {
		if !timed {
			return OneProcess, nil
		}
		if names = parts(events); len(names) < 2 || !overlap(events, names, timed) {
			return twoSaid(events), nil
		}
	}
	if !overlap(events, names, timed) {
		return InTurn, names
	}
	one, first := true, ""
	for i, n := 0, 0; i < len(events); i++ {
		if e := &events[i]; e.kind.gauges() {
			if n++; n == 1 {
				first = e.rank
			}
			one = one && e.rank == first
		}
	}
	for i := range events {
		e := &events[i]
		switch {
		case e.process == "" && e.rank == "":
			e.rank = "the lines without a name"
		case e.process == "":
		case one:
			e.rank = e.process
		default:
			e.rank = e.process + ", " + e.rank
		}
		if e.kind == vllmDraftsV0 || e.kind == vllmPreempted {
			for f := range e.v { // totals since the start of one of them: no difference can be taken
				e.v[f] = math.NaN()
			}
		}
	}
	return SideBySide, names
}

// named lists the names in front of lines with the state of an engine, in the
// order in which they come. A container that all of them share is left out.
func named(events []event) (names []string) {
	shared, same := "", true
	for i := range events {
		e := &events[i]
		if !e.kind.gauges() || slices.Contains(names, e.process) {
			continue
		}
		if len(names) == MaxGroups {
			break
		}
		_, container, _ := strings.Cut(e.process, "/")
		same = same && (len(names) == 0 || container == shared)
		names, shared = append(names, e.process), container
	}
	if !same || shared == "" {
		return names
	}
	for i := range events {
		events[i].process = strings.TrimSuffix(events[i].process, "/"+shared)
	}
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], "/"+shared)
	}
	return names
}

// parts names the stretches of lines between which time falls back, as where
// files were put one behind the other. A text whose lines mostly fall back is
// one file with the newest first.
func parts(events []event) (names []string) {
	last := map[string]*event{} // the last line of each rank, of its part
	steps, part := 0, make([]int, len(events))
	n := 0
	for i := range events {
		e := &events[i]
		if e.kind.gauges() {
			k := e.rank + " " + strconv.Itoa(e.tp)
			if before := last[k]; before != nil {
				if steps++; e.at < before.at-jumpBack {
					n++
					last = map[string]*event{}
				}
			}
			last[k] = e
		}
		part[i] = n
	}
	if n == 0 || 2*n >= steps || n >= MaxGroups {
		return nil
	}
	for i := range events {
		events[i].process = "part " + strconv.Itoa(part[i]+1)
	}
	for i := range n + 1 {
		names = append(names, "part "+strconv.Itoa(i+1))
	}
	return names
}

// overlap says whether two processes wrote at the same time; of lines without
// an instant, whether those of one stand between those of another.
func overlap(events []event, names []string, timed bool) bool {
	from, to := make([]float64, len(names)), make([]float64, len(names))
	for i := range names {
		from[i], to[i] = math.Inf(1), math.Inf(-1)
	}
	for i := range events {
		e := &events[i]
		if !e.kind.gauges() {
			continue
		}
		at := float64(i)
		if timed {
			at = e.at
		}
		if k := slices.Index(names, e.process); k >= 0 {
			from[k], to[k] = min(from[k], at), max(to[k], at)
		}
	}
	for i := range names {
		for k := range i {
			if from[i] <= to[k] && from[k] <= to[i] {
				return true
			}
		}
	}
	return false
}

// twoSaid looks whether an engine of vLLM says two things at one instant, at a
// quarter of the instants or more: it writes its line once in several seconds,
// so a second one is another process's. The same line twice says nothing.
func twoSaid(events []event) Mix {
	said, twice := map[string]*event{}, map[string]bool{}
	for i := range events {
		e := &events[i]
		if e.kind != vllmStats || !e.timed {
			continue
		}
		k := e.rank + " " + strconv.FormatFloat(e.at, 'g', -1, 64)
		if old := said[k]; old != nil && !alike(old, e) {
			twice[k] = true
		}
		said[k] = e
	}
	if n := len(twice); n > 0 && 4*n >= len(said) {
		return Inseparable
	}
	return OneProcess
}

func alike(a, b *event) bool {
	for f := range a.v {
		if a.v[f] != b.v[f] && (a.has(field(f)) || b.has(field(f))) {
			return false
		}
	}
	return true
}

// engines splits lines by the engine that wrote them, the first to speak first.
// An engine without a line of its state is left out, unless it is the only one.
func engines(events []event) [][]event {
	var out [2][]event
	var states, first [2]int
	for i := range events {
		n := boolInt(events[i].kind.sglang())
		if events[i].kind.gauges() {
			if states[n]++; states[n] == 1 {
				first[n] = i
			}
		}
		out[n] = append(out[n], events[i])
	}
	switch {
	case states[0] == 0 || states[1] == 0:
		return [][]event{events}
	case first[1] < first[0]:
		return [][]event{out[1], out[0]}
	}
	return [][]event{out[0], out[1]}
}
