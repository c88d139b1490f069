// Package engine runs demos for the build and the command line, and keeps
// their results, because a page asks for the same run many times: for its
// figure, its sentence and the numbers in its prose.
//
// It is strict where demo.Parse is kind: a link in the guide or on the command
// line with a bad part, or with a part that nobody knows, is an error.
package engine

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"strings"
	"sync"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/site/internal/cache"
)

// Result is a finished run, with what a page shows of it.
type Result struct {
	Figures []demo.Figure
	Summary demo.Sentence
	Metrics []demo.Metric
	Events  []demo.Event
	Clock   *demo.Clock // nil if the run has none
	Scenic  bool        // has an engine room
}

// Engine runs the demos of a catalog.
type Engine struct {
	modules []demo.Module
	store   *cache.Store
	builds  map[string]string

	mu   sync.Mutex
	runs map[string]Result // that were asked for, by the key of what makes them
}

// New makes an engine. Builds name the code of each module, for the cache: two
// builds that can give different results have different names.
func New(modules []demo.Module, store *cache.Store, builds map[string]string) *Engine {
	return &Engine{modules: modules, store: store, builds: builds, runs: map[string]Result{}}
}

// Demos is the catalog.
func (e *Engine) Demos() []*demo.Demo { return demo.Demos(e.modules) }

// Edition tells the code of a module from that of an earlier one; "" if nobody
// knows.
func (e *Engine) Edition(module string) string { return cache.Short(e.builds[module]) }

// Module is the name of the module that carries a demo of the catalog.
func (e *Engine) Module(id string) string {
	for _, m := range e.modules {
		if _, ok := demo.Find(m.Demos, id); ok {
			return m.Name
		}
	}
	return ""
}

// Find returns a demo by id.
func (e *Engine) Find(id string) (*demo.Demo, error) {
	var ids []string
	for _, d := range e.Demos() {
		if d.ID == id {
			return d, nil
		}
		ids = append(ids, d.ID)
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("no demo is called %q; the catalog is empty", id)
	}
	return nil, fmt.Errorf("no demo is called %q; there are %s", id, text.List(ids, "and"))
}

// State reads a link to a demo; every part of it must be legal.
func State(d *demo.Demo, link string) (demo.State, error) {
	s, problems := demo.Parse(d, link)
	var errs []error
	for _, p := range problems {
		errs = append(errs, fmt.Errorf("demo %s: %w", d.ID, p))
	}
	for _, u := range s.Unknown {
		_, p := s.Set(u.Key, u.Value)
		errs = append(errs, fmt.Errorf("demo %s: %w", d.ID, p))
	}
	return s, errors.Join(errs...)
}

// Open finds a demo and reads its link: "id" or "id#state".
func (e *Engine) Open(link string) (demo.State, error) {
	id, state, _ := strings.Cut(link, "#")
	d, err := e.Find(id)
	if err != nil {
		return demo.State{}, err
	}
	return State(d, state)
}

// Preset is the state of a demo's preset.
func Preset(d *demo.Demo, name string) (demo.State, error) {
	var names []string
	for _, p := range d.Presets {
		if p.Name == name {
			return State(d, p.State)
		}
		names = append(names, `"`+p.Name+`"`)
	}
	if len(names) == 0 {
		return demo.State{}, fmt.Errorf("demo %s has no presets", d.ID)
	}
	return demo.State{}, fmt.Errorf("demo %s has no preset %q; there are %s", d.ID, name, text.List(names, "and"))
}

// Run returns what a page shows of a state. Settings that change nothing in
// figures or words, such as hide or theme, do not make another run; hide must name
// what is there.
func (e *Engine) Run(s demo.State) (Result, error) {
	r, err := e.result(s)
	if err != nil {
		return Result{}, err
	}
	var errs []error
	for _, p := range s.CheckHide(r.Figures) {
		errs = append(errs, fmt.Errorf("demo %s: %w", s.Demo.ID, p))
	}
	return r, errors.Join(errs...)
}

// result is the run itself. Whoever gets it must not change it.
func (e *Engine) result(s demo.State) (Result, error) {
	same := demo.NewState(s.Demo)
	same.Values, same.Seed, same.At, same.HasAt = s.Values, s.Seed, s.At, s.HasAt
	key := s.Demo.ID + "\n" + same.String()
	e.mu.Lock()
	r, ok := e.runs[key]
	e.mu.Unlock()
	if ok {
		return r, nil
	}
	b, err := e.store.Do("run-4", func() ([]byte, error) {
		t, err := demo.Run(s)
		if err != nil {
			return nil, err
		}
		r := Result{Figures: t.Figures(), Summary: t.Summary(), Metrics: t.Metrics(), Events: t.Events()}
		if timed, ok := t.(demo.Timed); ok {
			c := timed.Clock()
			r.Clock = &c
			_, r.Scenic = t.(demo.Scenic)
		}
		var b bytes.Buffer
		out := gob.NewEncoder(&b)
		err = errors.Join(out.Encode(r), out.Encode(emptyIntervals(r.Figures)))
		return b.Bytes(), err
	}, s.Demo.ID, same.String(), e.builds[e.Module(s.Demo.ID)])
	if err != nil {
		return Result{}, err
	}
	// A fresh run is decoded too, so that a build with a warm cache and one
	// with a cold cache see the same thing.
	r = Result{}
	var empty [][2]int
	in := gob.NewDecoder(bytes.NewReader(b))
	if err := errors.Join(in.Decode(&r), in.Decode(&empty)); err != nil {
		return Result{}, fmt.Errorf("reading a kept run of %s: %w", s.Demo.ID, err)
	}
	for _, at := range empty {
		series := &r.Figures[at[0]].Series[at[1]]
		series.Lo, series.Hi = []float64{}, []float64{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs[key] = r
	return r, nil
}

// emptyIntervals says which series (figure, series) have an interval without
// points yet: a chart keeps a slot for it, and gob does not tell an empty slice
// from none.
func emptyIntervals(figures []demo.Figure) (out [][2]int) {
	for i, f := range figures {
		for k, s := range f.Series {
			if s.Lo != nil && len(s.Lo) == 0 {
				out = append(out, [2]int{i, k})
			}
		}
	}
	return out
}

// Value is one metric of a run as text, for prose. Digits are significant
// digits, 0 for a whole number in full, -1 for as many as the metric says.
func (e *Engine) Value(link, metric string, digits int) (string, error) {
	s, err := e.Open(link)
	if err != nil {
		return "", err
	}
	r, err := e.Run(s)
	if err != nil {
		return "", err
	}
	var names []string
	for _, m := range r.Metrics {
		if m.Name == metric {
			if digits < 0 {
				digits = m.Digits
			}
			return text.Num(m.Value, digits), nil
		}
		names = append(names, m.Name)
	}
	return "", fmt.Errorf("demo %s has no metric %q; there are %s", s.Demo.ID, metric, text.List(names, "and"))
}
