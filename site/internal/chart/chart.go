// Package chart draws a demo.Figure: as an echarts option, which the browser
// patches live data into, and as static SVG made from the same option, which
// is what a page shows before anything is started, in print, and without
// JavaScript.
//
// Start reading at Option. Colors are CSS variables, in the option and in the
// SVG, so that one drawing serves every theme. What a figure says is decided
// in content/demo; this package decides only how it looks.
//
// The series of an option are those of the figure, in the same order, with
// the same ids. Helpers follow: ID:lo and ID:hi draw the interval of series ID
// as two stacked areas (data of ID:lo is Lo, of ID:hi it is Hi - Lo), and
// ol:marks carries markLine (Marks) and markArea (Bands).
package chart

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"openloop/content/demo"
	"openloop/site/internal/cache"
	"openloop/site/internal/script"
)

// drawnBy is the source of everything between an option and its SVG: where it
// changes, a kept drawing is no longer good.
//
//go:embed chart.go clean.go compact.go look.go symbols.go
var drawnBy embed.FS

// Drawing is one figure, ready for a page.
type Drawing struct {
	Option json.RawMessage // echarts option without data, which every frame brings; keys sorted
	Wide   string          // SVG for a column of about 640 px
	Narrow string          // SVG for a phone
}

// Renderer draws figures and keeps what it drew.
type Renderer struct {
	store *cache.Store
	load  func() (painter, error)
}

// painter is what makes SVG of an option.
type painter struct {
	echarts *script.Library
	version string // of echarts
	glue    string // our own part
}

// NewRenderer uses the echarts package in nodeModules, and glue, which gives the
// script that defines openloopRender: it shares the rules for ticks and labels with
// the live charts. Neither is read before something has to be drawn.
func NewRenderer(nodeModules string, glue func() (string, error), store *cache.Store) *Renderer {
	return &Renderer{store: store, load: sync.OnceValues(func() (painter, error) {
		own, err := glue()
		if err != nil {
			return painter{}, err
		}
		lib := script.New(filepath.Join(nodeModules, "echarts"), "dist/echarts.min.js", own)
		version, err := lib.Version()
		return painter{lib, version, own}, err
	})}
}

// Draw draws a figure of kind demo.Chart. The name, made of letters, digits
// and hyphens, must be unique on the page: it prefixes the ids inside the SVG.
func (r *Renderer) Draw(name string, f demo.Figure) (Drawing, error) {
	opt, err := Option(f)
	if err != nil {
		return Drawing{}, err
	}
	still := sampled(opt)
	wide, err := r.svg(name, still, wideSize)
	if err != nil {
		return Drawing{}, err
	}
	narrow, err := r.svg(name, narrowed(still, narrowSize), narrowSize)
	if err != nil {
		return Drawing{}, err
	}
	raw, err := json.Marshal(emptied(opt))
	return Drawing{Option: raw, Wide: wide, Narrow: narrow}, err
}

func (r *Renderer) svg(name string, opt map[string]any, s size) (string, error) {
	raw, err := json.Marshal(opt)
	if err != nil {
		return "", fmt.Errorf("figure %s: %w", name, err)
	}
	p, err := r.load()
	if err != nil {
		return "", err
	}
	source, err := sources()
	if err != nil {
		return "", err
	}
	w, h := strconv.Itoa(s.width), strconv.Itoa(s.height)
	svg, err := r.store.Do("svg", func() ([]byte, error) {
		out, err := p.echarts.Call("openloopRender", string(raw), s.width, s.height)
		if err != nil {
			return nil, err
		}
		clean, err := clean(out)
		return []byte(clean), err
	}, string(raw), w, h, p.version, cache.Module("github.com/dop251/goja"), source, p.glue)
	if err != nil {
		return "", fmt.Errorf("drawing figure %s: %w", name, err)
	}
	return rename(string(svg), name+"-"+s.name), nil
}

func sources() (string, error) {
	var all strings.Builder
	files, err := drawnBy.ReadDir(".")
	if err != nil {
		return "", err
	}
	for _, f := range files { // sorted by name
		text, err := drawnBy.ReadFile(f.Name())
		if err != nil {
			return "", err
		}
		all.Write(text)
	}
	return all.String(), nil
}

// check refuses a figure that cannot be drawn as it stands.
func check(f demo.Figure) error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("figure %s: "+format, append([]any{f.ID}, args...)...))
	}
	if f.Kind != demo.Chart {
		bad("kind %d is not a chart", f.Kind)
	}
	if len(f.Series) == 0 {
		bad("a chart needs a series")
	}
	seen := map[string]bool{}
	for _, s := range f.Series {
		if s.ID == "" || seen[s.ID] {
			bad("series id %q is empty or used twice", s.ID)
		}
		seen[s.ID] = true
		if len(s.X) != len(s.Y) {
			bad("series %s has %d x and %d y", s.ID, len(s.X), len(s.Y))
		}
		if s.Lo != nil || s.Hi != nil {
			if len(s.Lo) != len(s.X) || len(s.Hi) != len(s.X) {
				bad("series %s has %d points but %d and %d interval ends", s.ID, len(s.X), len(s.Lo), len(s.Hi))
			}
			if s.Shape == demo.Bars {
				bad("series %s: bars have no interval; use points", s.ID)
			}
		}
		checkRange(f, s, bad)
	}
	for _, m := range f.Marks {
		if m.Knob != "" && (m.Level || len(f.X.Names) > 0) {
			bad("mark %q: only a mark at a numeric x can be dragged", m.Label)
		}
	}
	return errors.Join(errs...)
}

func checkRange(f demo.Figure, s demo.Series, bad func(string, ...any)) {
	for _, side := range []struct {
		axis demo.Axis
		name string
		nums []float64
	}{{f.X, "x", s.X}, {f.Y, "y", s.Y}, {f.Y, "lo", s.Lo}, {f.Y, "hi", s.Hi}} {
		for i, v := range side.nums {
			switch {
			case v-v != 0 && v == v:
				bad("series %s: %s of point %d is infinite", s.ID, side.name, i)
			case side.axis.Log && v <= 0:
				bad("series %s: %s of point %d is %v on a log axis", s.ID, side.name, i, v)
			case len(side.axis.Names) > 0 && v == v && (v < 0 || v >= float64(len(side.axis.Names)) || v != float64(int(v))):
				bad("series %s: %s of point %d is %v, not one of %d names", s.ID, side.name, i, v, len(side.axis.Names))
			default:
				continue
			}
			return
		}
	}
}
