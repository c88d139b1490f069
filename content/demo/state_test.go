package demo

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo/text"
)

func TestToyKeepsTheContract(t *testing.T) {
	assert.Empty(t, toy.Check())
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, link, want string
		problems         []string
	}{
		{"empty", "", "v=1&seed=7", nil},
		{"hash only", "#", "v=1&seed=7", nil},
		{"stray ampersands", "#&&v=1&", "v=1&seed=7", nil},
		{"defaults are left out", "v=1&seed=7&rate=8.0&fused=on", "v=1&seed=7", nil},
		{"catalog order", "policy=priority&rate=12.50&seed=9", "v=1&seed=9&rate=12.5&policy=priority", nil},
		{"reserved after knobs", "engine=1&at=3&theme=projector&hide=table,bet,rate,curve,bet&lock=rate,seed&fused=off",
			"v=1&seed=7&fused=off&lock=seed,rate&hide=bet,table,rate,curve&theme=projector&at=3&engine=1", nil},
		{"all makes names needless", "lock=rate,all", "v=1&seed=7&lock=all", nil},
		{"auto is not written", "theme=auto&at=-0", "v=1&seed=7&at=0", nil},
		{"unknown kept and sorted", "zeta=%26x&alpha&zz=caf%C3%A9&b=a+b", "v=1&seed=7&alpha=&b=a%2Bb&zeta=%26x&zz=caf%C3%A9", nil},
		{"bytes that are not UTF-8 are kept", "x=%ff", "v=1&seed=7&x=%FF", nil},
		{"escaped key and value", "%72ate=1%32", "v=1&seed=7&rate=12", nil},
		{"exponent", "scale=1e-2&rate=1.2e+1", "v=1&seed=7&rate=12&scale=0.01", nil},
		{"its own demo", "demo=toy", "v=1&seed=7", nil},

		{"another demo", "demo=other<b>", "v=1&seed=7", []string{`demo: "other<b>" is another demo; legal: toy`}},
		{"duplicate", "rate=9&rate=10", "v=1&seed=7&rate=9", []string{`rate: "10" is given twice; the first one counts`}},
		{"duplicate unknown", "x=1&x=2", "v=1&seed=7&x=1", []string{`x: "2" is given twice; the first one counts`}},
		{"broken escapes", "a=%&b=%4&c=%zz&rate=9", "v=1&seed=7&rate=9", []string{
			`link: "a=%" has a broken % escape; legal: % is written %25`,
			`link: "b=%4" has a broken % escape; legal: % is written %25`,
			`link: "c=%zz" has a broken % escape; legal: % is written %25`}},
		{"no key", "=5", "v=1&seed=7", []string{`link: "=5" is not key=value`}},
		{"not numbers", "rate=fast&scale=NaN&batch=0x10&offset=1_0", "v=1&seed=7", []string{
			`rate: "fast" is not a number; legal: 0.5 to 20 requests/s`,
			`scale: "NaN" is not a number; legal: 0.001 to 10`,
			`batch: "0x10" is not a number; legal: a whole number, 1 to 4096 requests`,
			`offset: "1_0" is not a number; legal: a whole number, -10 to 10 ms`}},
		{"more that are none", "rate=&scale=Inf&batch=--1&offset=e", "v=1&seed=7", []string{
			`rate: "" is not a number; legal: 0.5 to 20 requests/s`,
			`scale: "Inf" is not a number; legal: 0.001 to 10`,
			`batch: "--1" is not a number; legal: a whole number, 1 to 4096 requests`,
			`offset: "e" is not a number; legal: a whole number, -10 to 10 ms`}},
		{"out of range", "rate=1e308&scale=1e999&batch=0&offset=-11", "v=1&seed=7", []string{
			`rate: "1e308" is out of range; legal: 0.5 to 20 requests/s; the nearest is 20 requests/s`,
			`scale: "1e999" is out of range; legal: 0.001 to 10; the nearest is 10`,
			`batch: "0" is out of range; legal: a whole number, 1 to 4096 requests; the nearest is 1 request`,
			`offset: "-11" is out of range; legal: a whole number, -10 to 10 ms; the nearest is -10 ms`}},
		{"not whole", "batch=1.5", "v=1&seed=7", []string{`batch: "1.5" is not a whole number; legal: a whole number, 1 to 4096 requests; the nearest is 2 requests`}},
		{"not an option", "policy=1&fused=true", "v=1&seed=7", []string{
			`policy: "1" is not an option; legal: fifo, priority or broken`,
			`fused: "true" is not an option; legal: off or on`}},
		{"seeds", "seed=0", "v=1&seed=7", []string{`seed: "0" is out of range; legal: a whole number, 1 to 4294967295`}},
		{"seed too large", "seed=4294967296", "v=1&seed=7", []string{`seed: "4294967296" is out of range; legal: a whole number, 1 to 4294967295`}},
		{"seed not whole", "seed=1.5", "v=1&seed=7", []string{`seed: "1.5" is not a whole number; legal: a whole number, 1 to 4294967295`}},
		{"largest seed", "seed=4294967295", "v=1&seed=4294967295", nil},
		{"another version is read all the same", "v=2&rate=9", "v=1&seed=7&rate=9", []string{`v: "2" is a version of links that this demo does not have; legal: 1`}},
		{"no version", "v=one", "v=1&seed=7", []string{`v: "one" is a version of links that this demo does not have; legal: 1`}},
		{"unknown names", "lock=rate,speed&hide=bet,Evil%3Cb%3E", "v=1&seed=7&lock=rate&hide=bet", []string{
			`lock: "speed" is not known here; legal: all, seed, rate, batch, scale, policy, fused or offset`,
			`hide: "Evil<b>" is not known here; legal: bet, presets, knobs, summary, table, foot, clock, room, events, rate, batch, scale, policy, fused or offset`}},
		{"theme", "theme=pink", "v=1&seed=7", []string{`theme: "pink" is not an option; legal: auto, light, dark or projector`}},
		{"at", "at=1e999", "v=1&seed=7", []string{`at: "1e999" is not a number; legal: a time of the run, or a number on the x axis of the first figure`}},
		{"engine", "engine=0", "v=1&seed=7", []string{`engine: "0" is out of range; legal: a whole number, 1 to 1000000`}},
		{"another engine is kept and reported", "engine=99", "v=1&seed=7&engine=99", []string{
			`engine: "99" is another version of the engine; numbers may differ; legal: 1`}},
		{"too long", strings.Repeat("x", MaxLink+1), "v=1&seed=7", []string{
			`link: "` + strings.Repeat("x", 40) + `…" is too long; legal: at most 8192 bytes`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, problems := Parse(toy, c.link)
			assert.Equal(t, c.want, s.String())
			assert.Equal(t, c.problems, sentences(problems))
		})
	}
}

func sentences(problems []text.Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Error())
	}
	return out
}

// Encoding makes this link longer than the cap, so its unknown keys go.
func TestParseGrowing(t *testing.T) {
	s, problems := Parse(toy, "rate=9&x="+strings.Repeat("é", 2000))
	assert.Equal(t, "v=1&seed=7&rate=9", s.String())
	require.Len(t, problems, 1)
	assert.Equal(t, text.TooLong, problems[0].Kind)
}

func TestTooManyNames(t *testing.T) {
	link := "hide="
	for i := range 65 {
		link += text.Shortest(float64(100+i)) + ","
	}
	s, problems := Parse(toy, link)
	assert.Empty(t, s.Hide)
	require.Len(t, problems, 1)
	assert.Equal(t, text.TooMany, problems[0].Kind)
}

// Links that were published once, as they are written today. Package catalog
// has those of real demos.
func TestOldLinks(t *testing.T) {
	for _, c := range []struct{ link, want string }{
		{"#v=1&seed=7", "v=1&seed=7"},
		{"v=1&seed=11&rate=12.5&policy=priority", "v=1&seed=11&rate=12.5&policy=priority"},
		{"#v=1&seed=7&batch=16&lock=seed,batch&hide=bet&theme=projector&at=12.5", "v=1&seed=7&batch=16&lock=seed,batch&hide=bet&theme=projector&at=12.5"},
		{"#course=nordic&v=1&fused=off", "v=1&seed=7&fused=off&course=nordic"},
	} {
		s, problems := Parse(toy, c.link)
		assert.Equal(t, c.want, s.String())
		assert.Empty(t, problems, c.link)
	}
}

func TestSet(t *testing.T) {
	s := NewState(toy)
	for _, c := range []struct{ key, value, want, problem string }{
		{"rate", "12.5", "v=1&seed=7&rate=12.5", ""},
		{"rate", " 9 ", "v=1&seed=7&rate=9", ""},
		{"offset", "−3", "v=1&seed=7&offset=-3", ""},
		{"policy", "priority", "v=1&seed=7&policy=priority", ""},
		{"seed", "12", "v=1&seed=12", ""},
		{"rate", "8", "v=1&seed=7", ""},
		{"rate", "8,5", "v=1&seed=7", `rate: "8,5" is not a number; legal: 0.5 to 20 requests/s`},
		{"seed", "-1", "v=1&seed=7", `seed: "-1" is out of range; legal: a whole number, 1 to 4294967295`},
		{"lock", "all", "v=1&seed=7", `toy: "lock" is not known here; legal: seed, rate, batch, scale, policy, fused or offset`},
	} {
		got, p := s.Set(c.key, c.value)
		assert.Equal(t, c.want, got.String(), c.key+"="+c.value)
		if c.problem == "" {
			assert.Nil(t, p)
		} else if assert.NotNil(t, p) {
			assert.EqualError(t, *p, c.problem)
		}
	}
	assert.Equal(t, "v=1&seed=7", s.String(), "Set changed the state it was called on")
}

// A link names the engine of its own numbers only.
func TestAnotherRunForgetsTheEngine(t *testing.T) {
	s, _ := Parse(toy, "engine=99&hide=bet")
	set := func(key, value string) string {
		got, p := s.Set(key, value)
		require.Nil(t, p)
		return got.String()
	}
	assert.Equal(t, "v=1&seed=7&hide=bet&engine=99", set("rate", "8"))
	assert.Equal(t, "v=1&seed=7&hide=bet&engine=99", set("seed", "7"))
	assert.Equal(t, "v=1&seed=7&rate=9&hide=bet", set("rate", "9"))
	assert.Equal(t, "v=1&seed=8&hide=bet", set("seed", "8"))
	assert.Equal(t, "v=1&seed=7&rate=0.5&hide=bet", s.Slide("rate", 0).String())
	assert.Equal(t, s, s.Slide("rate", -1))
}

func TestManyProblems(t *testing.T) {
	s, problems := Parse(toy, "rate=9&lock="+strings.Repeat("A,B,", 1000)+"C,D"+strings.Repeat("&rate=9", 30))
	assert.Equal(t, "v=1&seed=7&rate=9", s.String())
	require.Len(t, problems, maxProblems+1)
	assert.EqualError(t, problems[maxProblems], `link: "and 14 more" cannot be used`)
}

func TestLockedAndSameRun(t *testing.T) {
	a, _ := Parse(toy, "rate=9&lock=seed")
	assert.True(t, a.Locked("seed"))
	assert.False(t, a.Locked("rate"))
	all, _ := Parse(toy, "rate=9&lock=all&hide=bet")
	assert.True(t, all.Locked("rate"))
	assert.True(t, a.SameRun(all))
	other, _ := Parse(toy, "rate=9&seed=8")
	assert.False(t, a.SameRun(other))
	assert.False(t, a.SameRun(NewState(toy)))
}

func TestCheckHide(t *testing.T) {
	s, problems := Parse(toy, "hide=bet,curve,rate,ghost")
	require.Empty(t, problems)
	got := s.CheckHide([]Figure{{ID: "curve"}})
	require.Len(t, got, 1)
	assert.Equal(t, "ghost", got[0].Got)
	assert.Contains(t, got[0].Legal, "curve")
}

// Whatever comes in, the canonical link reads back as the same state and is a
// fixed point.
func FuzzParse(f *testing.F) {
	f.Add("#v=1&seed=7&rate=12.5&lock=seed,rate&hide=bet,ghost&theme=dark&at=1e-9&engine=1&x=%FF")
	f.Add("v=2&seed=0&batch=1.5&%zz&=&a&a")
	f.Add("at=-0&rate=1e999&offset=-0")
	f.Fuzz(func(t *testing.T, link string) {
		s, _ := Parse(toy, link)
		canonical := s.String()
		require.LessOrEqual(t, len(canonical), MaxLink)
		again, problems := Parse(toy, canonical)
		for _, p := range problems {
			require.Equal(t, text.OtherEngine, p.Kind, p.Error())
		}
		require.Equal(t, s, again)
		require.Equal(t, canonical, again.String())
		for i, k := range toy.Knobs {
			_, p := k.read(k.Text(s.Values.At(i)))
			require.Nil(t, p)
		}
	})
}

func FuzzSet(f *testing.F) {
	f.Add("rate", "8.5")
	f.Add("seed", "−1")
	f.Fuzz(func(t *testing.T, key, value string) {
		s, p := NewState(toy).Set(key, value)
		if p != nil {
			require.Equal(t, "v=1&seed=7", s.String())
			require.NotEmpty(t, p.Error())
			return
		}
		again, problems := Parse(toy, s.String())
		require.Empty(t, problems)
		require.Equal(t, s, again)
	})
}

func TestCheckFindsMistakes(t *testing.T) {
	good := toy.Knobs[0]
	for name, spoil := range map[string]func(*Demo){
		"id":             func(d *Demo) { d.ID = "Toy" },
		"no start":       func(d *Demo) { d.Start = nil },
		"twice":          func(d *Demo) { d.Knobs = append(d.Knobs, good) },
		"reserved":       func(d *Demo) { d.Knobs[0].Name = "seed" },
		"upper case":     func(d *Demo) { d.Knobs[0].Name = "Rate" },
		"default":        func(d *Demo) { d.Knobs[0].Default = 21 },
		"range":          func(d *Demo) { d.Knobs[0].Min = 20 },
		"step":           func(d *Demo) { d.Knobs[0].Step = -1 },
		"log from zero":  func(d *Demo) { d.Knobs[2].Min = 0 },
		"not whole":      func(d *Demo) { d.Knobs[1].Default = 1.5 },
		"option twice":   func(d *Demo) { d.Knobs[4].Options = []Option{{"on", "On"}, {"on", "On"}} },
		"option default": func(d *Demo) { d.Knobs[4].Default = 2 },
		"preset value":   func(d *Demo) { d.Presets = []Preset{{Name: "x", State: "rate=99"}} },
		"preset key":     func(d *Demo) { d.Presets = []Preset{{Name: "x", State: "speed=9"}} },
		"bet":            func(d *Demo) { d.Bet = &Bet{Question: "?", Options: []string{"a"}} },
		"positions":      func(d *Demo) { d.Knobs[0].Step = 1e-5 },
	} {
		d := *toy
		d.Knobs = append([]Knob(nil), toy.Knobs...)
		spoil(&d)
		assert.NotEmpty(t, d.Check(), name)
	}
}

// Every key that is not known is named, and a link full of them in a few lines.
func TestUnknownKeys(t *testing.T) {
	d := toy
	s, problems := Parse(d, "v=1&seed=3&zz=1&aa")
	require.Empty(t, problems)
	said := s.Unused()
	require.Len(t, said, 2)
	assert.Contains(t, said[0].Error(), `"aa" is no setting of this demo`)
	assert.Contains(t, said[1].Error(), `"zz" is no setting of this demo`)
	assert.Empty(t, NewState(d).Unused())

	var many strings.Builder
	for i := range 100 {
		many.WriteString("&x" + strconv.Itoa(i))
	}
	s, _ = Parse(d, many.String())
	said = s.Unused()
	require.Len(t, said, maxProblems+1)
	assert.Contains(t, said[maxProblems].Error(), strconv.Itoa(100-maxProblems)+" more")
}
