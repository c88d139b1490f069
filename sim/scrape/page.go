package scrape

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Page is one scrape: its series in order of name, labels and bound, so that
// no result depends on the order of the lines.
type Page struct {
	Engine  Engine   // whose series are in it; vLLM if both are
	Models  []string // names of models, in order; "" where series name none
	Dropped int      // series that repeat another rank of the same engine

	samples []Sample
	types   map[string]string
}

// finish orders the series and drops the repeats.
func (g *Page) finish() {
	slices.SortFunc(g.samples, func(a, b Sample) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.rest, b.rest), cmp.Compare(a.le, b.le))
	})
	g.dropRepeats()
	models := map[string]bool{}
	for i := range g.samples {
		s := &g.samples[i]
		s.from = s.rank()
		s.of, _ = s.model()
		switch {
		case strings.HasPrefix(s.Name, "vllm:"):
			g.Engine = VLLM
		case strings.HasPrefix(s.Name, "sglang:"):
			if g.Engine == Unknown {
				g.Engine = SGLang
			}
		default:
			continue
		}
		if m, ok := s.model(); ok {
			models[m] = true
		}
	}
	for m := range models {
		g.Models = append(g.Models, m)
	}
	slices.Sort(g.Models)
	if len(g.Models) == 0 {
		g.Models = []string{""}
	}
}

// same says that two pages hold the same numbers, down to the last digit and the
// time stamps, counters among them: one scrape pasted twice, or two of a server
// to which nothing happened in between.
func (g *Page) same(o *Page) bool {
	counts := false
	if len(g.samples) != len(o.samples) {
		return false
	}
	for i := range g.samples {
		a, b := &g.samples[i], &o.samples[i]
		equal := a.Value == b.Value || a.Value != a.Value && b.Value != b.Value
		if !equal || a.Name != b.Name || a.rest != b.rest || a.isLE != b.isLE || a.le != b.le || a.At != b.At {
			return false
		}
		for _, end := range [...]string{"_total", "_count", "_sum"} {
			counts = counts || strings.HasSuffix(a.Name, end)
		}
	}
	return counts
}

// repeatLabels number the parts of one engine that export the same series:
// tensor, pipeline, expert and context parallel ranks. One of them counts.
// With priorities on, the series without one is the total of the others.
var repeatLabels = [...]string{"tp_rank", "pp_rank", "moe_ep_rank", "attn_cp_rank", "cp_rank", "priority"}

func (g *Page) dropRepeats() {
	lowest := map[string]int{}
	base := func(s *Sample) (key string, repeats bool) {
		var b strings.Builder
		b.WriteString(s.Name)
		for _, l := range s.Labels {
			if slices.Contains(repeatLabels[:], l.Name) {
				// Priorities add up unless their total is there.
				if repeats = true; l.Name != "priority" || l.Value == "" {
					continue
				}
			}
			b.WriteByte(0)
			b.WriteString(l.Name)
			b.WriteByte(1)
			b.WriteString(l.Value)
		}
		return b.String(), repeats
	}
	totals := map[string]bool{}
	for i := range g.samples {
		s := &g.samples[i]
		key, repeats := base(s)
		if !repeats {
			continue
		}
		if j, ok := lowest[key]; !ok || before(s, &g.samples[j]) {
			lowest[key] = i
		}
		if s.Label("priority") == "" {
			totals[key] = true
		}
	}
	if len(lowest) == 0 {
		return
	}
	kept := g.samples[:0]
	for i := range g.samples {
		s := g.samples[i]
		key, repeats := base(&s)
		if repeats && lowest[key] != i || s.Label("priority") != "" && totals[withoutPriority(key)] {
			g.Dropped++
			continue
		}
		kept = append(kept, s)
	}
	g.samples = kept
}

// withoutPriority takes the label out of a base key.
func withoutPriority(key string) string {
	head, tail, ok := strings.Cut(key, "\x00priority\x01")
	if !ok {
		return key
	}
	if i := strings.IndexByte(tail, 0); i >= 0 {
		return head + tail[i:]
	}
	return head
}

// before orders ranks as numbers: rank 10 is after rank 9.
func before(a, b *Sample) bool {
	for _, name := range repeatLabels {
		x, y := a.Label(name), b.Label(name)
		if x != y {
			return len(x) < len(y) || len(x) == len(y) && x < y
		}
	}
	return false
}

// model is the model that a series names.
func (s *Sample) model() (string, bool) {
	for _, name := range [...]string{"model_name", "name", "model"} {
		if v := s.Label(name); v != "" {
			return v, true
		}
	}
	return "", false
}

// instance tells processes apart in what several servers' series were joined to.
func (s *Sample) instance() string {
	out := ""
	for _, name := range [...]string{"instance", "pod"} {
		if v := s.Label(name); v != "" {
			out += v + " "
		}
	}
	return out
}

// rank names the replica of a series; empty if it names none.
func (s *Sample) rank() string {
	out := s.instance()
	if v := s.Label("engine_type"); v != "" && v != "unified" {
		out += v + " "
	}
	if v := s.Label("engine"); v != "" {
		out += "engine " + v
	} else if v := s.Label("dp_rank"); v != "" {
		out += "DP" + v
	}
	return strings.TrimSuffix(out, " ")
}

// all gives the series of a name.
func (g *Page) all(name string) []Sample {
	from := sort.Search(len(g.samples), func(i int) bool { return g.samples[i].Name >= name })
	to := from
	for to < len(g.samples) && g.samples[to].Name == name {
		to++
	}
	return g.samples[from:to]
}

// find gives the series that pairs with s; nil if there is none.
func (g *Page) find(s *Sample) *Sample {
	order := func(x *Sample) int {
		return cmp.Or(strings.Compare(x.Name, s.Name), strings.Compare(x.rest, s.rest), cmp.Compare(x.le, s.le))
	}
	i := sort.Search(len(g.samples), func(i int) bool { return order(&g.samples[i]) >= 0 })
	if i < len(g.samples) && order(&g.samples[i]) == 0 && g.samples[i].isLE == s.isLE {
		return &g.samples[i]
	}
	return nil
}

// counts says whether a series only ever grows: by its TYPE, or else by its name.
func (g *Page) counts(s *Sample) bool {
	if strings.HasSuffix(s.Name, "_created") {
		return false
	}
	switch g.types[s.Name] {
	case "counter", "histogram":
		return true
	case "gauge":
		return false
	}
	if m, ok := FindMetric(s.Name); ok {
		return m.Kind == Counter
	}
	for _, suffix := range [...]string{"_total", "_bucket", "_count", "_sum"} {
		if strings.HasSuffix(s.Name, suffix) {
			return true
		}
	}
	return false
}

// created says that a series is the instant at which a process or series began.
func created(name string) bool {
	return name == "process_start_time_seconds" || strings.HasSuffix(name, "_created")
}
