package protocol

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// clockwork is a demo whose run lasts as long as its knob says.
var clockwork = &demo.Demo{
	ID: "clockwork", Version: 1, Title: "Clockwork", Lead: "Wind it.", Limits: "Nothing.", NoChance: true,
	Knobs: []demo.Knob{{Name: "long", Label: "Long", Unit: "s", Doc: "How long.", Default: 60, Min: 10, Max: 100, Step: 1}},
	Start: func(v demo.Values, seed uint32) (demo.Task, error) {
		return &ticking{count: count{v: v}, clock: demo.Clock{From: 0, To: v.Num("long"), Step: 5, Unit: "s"}}, nil
	},
}

type ticking struct {
	count
	clock demo.Clock
	at    float64
}

func (t *ticking) Step(int) bool     { t.at = t.clock.To; return true }
func (t *ticking) Progress() float64 { return 1 }
func (t *ticking) Clock() demo.Clock { return t.clock }
func (t *ticking) Seek(at float64)   { t.at = at }
func (t *ticking) Summary() demo.Sentence {
	return demo.Say("At ", strconv.FormatFloat(t.at, 'g', -1, 64), ".")
}
func (t *ticking) Figures() []demo.Figure { return nil }
func (t *ticking) Metrics() []demo.Metric { return nil }
func (t *ticking) Records() demo.Table    { return demo.Table{} }
func (t *ticking) RoomSays(request int) demo.RoomSays {
	return demo.RoomSays{Says: demo.Say("Room at ", strconv.FormatFloat(t.at, 'g', -1, 64), " of request "+strconv.Itoa(request)), IDs: []int{4}, Names: []string{"five"}}
}
func (t *ticking) Room(dst []float64) []float64 { return append(dst, t.at) }

type timedFrame struct {
	State, SayText string
	Problems       []struct{ Key, Text string }
	Clock          struct {
		From, To, Step, At float64
		Says               string
		Scenic             bool
	}
}

// shown finishes the run and reads its frame.
func (c *client) shown(handle int32) timedFrame {
	c.Helper()
	c.finish(Step, handle, 1)
	require.Equal(c, Done, c.call(Frame, handle, "", 0))
	return read[timedFrame](c)
}

func (c *client) openClockwork(link string) head {
	c.Helper()
	require.Equal(c, Done, c.call(Open, 0, "clockwork\n"+link, 0))
	return read[head](c)
}

func TestSeek(t *testing.T) {
	c := newClient(t)
	h := c.openClockwork("long=20")
	f := c.shown(h.Handle)
	assert.Equal(t, "At 20.", f.SayText)
	assert.Equal(t, "20 s of 20 s", f.Clock.Says)
	assert.Equal(t, [4]float64{0, 20, 5, 20}, [4]float64{f.Clock.From, f.Clock.To, f.Clock.Step, f.Clock.At})
	assert.True(t, f.Clock.Scenic)
	for _, s := range []struct{ at, state, says string }{
		{"12.50", "v=1&seed=7&long=20&at=12.5", "At 12.5."},
		{"0", "v=1&seed=7&long=20&at=0", "At 0."},
		{"20", "v=1&seed=7&long=20", "At 20."},
		{"3", "v=1&seed=7&long=20&at=3", "At 3."},
		{"", "v=1&seed=7&long=20", "At 20."},
	} {
		require.Equal(t, Done, c.call(Seek, h.Handle, s.at, 0))
		assert.Equal(t, s.state, read[head](c).State)
		f := c.shown(h.Handle)
		assert.Equal(t, s.says, f.SayText, s.at)
		assert.Equal(t, s.state, f.State)
		require.Equal(t, Done, c.call(Room, h.Handle, "", 0))
		assert.Equal(t, []float64{f.Clock.At}, c.host.Nums())
		room := read[struct {
			SayText, Picked string
			IDs             []int
			Names           []string
		}](c)
		assert.Equal(t, "Room at "+strconv.FormatFloat(f.Clock.At, 'g', -1, 64)+" of request -1", room.SayText)
		assert.Equal(t, []int{4}, room.IDs)
		assert.Equal(t, []string{"five"}, room.Names)
		assert.Empty(t, room.Picked)
		require.Equal(t, Done, c.call(Room, h.Handle, "", 5))
		assert.Contains(t, string(c.host.Text()), "of request 4")
		assert.Equal(t, BadCall, c.call(Room, h.Handle, "", -1))
	}
	for _, bad := range []string{"-1", "20.5", "NaN", "1e999", "soon"} {
		require.Equal(t, Problem, c.call(Seek, h.Handle, bad, 0), bad)
	}
	assert.Equal(t, "At 20.", c.shown(h.Handle).SayText, "a refused time moves nothing")
}

// Before the run is done a time can be asked for, but not yet be judged.
func TestSeekBeforeTheEnd(t *testing.T) {
	c := newClient(t)
	h := c.openClockwork("")
	require.Equal(t, Done, c.call(Seek, h.Handle, "7", 0))
	assert.Equal(t, More, c.call(Room, h.Handle, "", 0))
	assert.Equal(t, "At 7.", c.shown(h.Handle).SayText)
	h = c.openClockwork("")
	require.Equal(t, Done, c.call(Seek, h.Handle, "700", 0))
	f := c.shown(h.Handle)
	assert.Equal(t, "v=1&seed=7", f.State)
	assert.Empty(t, f.Problems)
}

// A bad time of a link is reported and stays in the link; one that a change of
// the settings has made bad goes. A named state is a place in the run too.
func TestTimesOfLinks(t *testing.T) {
	c := newClient(t)
	h := c.openClockwork("at=99")
	f := c.shown(h.Handle)
	assert.Equal(t, "v=1&seed=7&at=99", f.State)
	assert.Equal(t, "At 60.", f.SayText)
	require.Len(t, f.Problems, 1)
	assert.Equal(t, `at: "99" is out of range; legal: 0 to 60 s, the time of this run`, f.Problems[0].Text)

	require.Equal(t, Done, c.call(Restore, h.Handle, "at=70", 0))
	assert.Len(t, c.shown(h.Handle).Problems, 1)
	require.Equal(t, Done, c.call(Restore, h.Handle, "long=30&at=25", 0))
	assert.Equal(t, "At 25.", c.shown(h.Handle).SayText)
	require.Equal(t, Done, c.call(Set, h.Handle, "long=28", 0))
	assert.Equal(t, "At 25.", c.shown(h.Handle).SayText, "a change of the settings keeps the time")
	require.Equal(t, Done, c.call(Set, h.Handle, "long=20", 0))
	f = c.shown(h.Handle)
	assert.Equal(t, "v=1&seed=7&long=20", f.State)
	assert.Equal(t, "At 20.", f.SayText)
	assert.Empty(t, f.Problems)

	require.Equal(t, Done, c.call(Restore, h.Handle, "long=20&at=5", 1))
	assert.Equal(t, "At 5.", c.shown(h.Handle).SayText, "a preset may say when")
	require.Equal(t, Done, c.call(Restore, h.Handle, "long=20", 1))
	assert.Equal(t, "At 20.", c.shown(h.Handle).SayText, "and one that does not is the whole run")
	require.Equal(t, Done, c.call(Restore, h.Handle, "long=20&at=5&theme=dark", 0))
	assert.Equal(t, "At 5.", c.shown(h.Handle).SayText)
}

// Files are of the whole run, whenever they are asked for.
func TestFilesDoNotStandStill(t *testing.T) {
	c := newClient(t)
	h := c.openClockwork("at=5")
	c.shown(h.Handle)
	s, _ := demo.Parse(clockwork, "at=5")
	task, err := demo.Run(s)
	require.NoError(t, err)
	require.Equal(t, Done, c.call(JSON, h.Handle, "", 0))
	assert.Equal(t, string(demo.JSON(s, task)), string(c.host.Text()))
	s, _ = demo.Parse(clockwork, "at=99")
	_, err = demo.Run(s)
	assert.ErrorContains(t, err, "the time of this run")
}
