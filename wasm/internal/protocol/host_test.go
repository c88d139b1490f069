package protocol

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/draw"
)

// client is a worker: it puts input in place and reads the answer.
type client struct {
	*testing.T
	host Host
}

func newClient(t *testing.T) *client {
	t.Helper()
	require.Empty(t, toy.Check())
	return &client{T: t, host: Host{Demos: []*demo.Demo{toy, clockwork}}}
}

func (c *client) call(op Op, handle int32, in string, arg int32) Status {
	c.Helper()
	copy(c.host.Input(int32(len(in))), in)
	return Status(c.host.Call(int32(op), handle, int32(len(in)), arg))
}

type knob struct {
	Name, Text, ValueText  string
	Pos, Positions, Option int
	Locked, Default        bool
}

type head struct {
	Handle                 int32
	State, SeedText, Theme string
	Seed                   uint32
	SeedLocked, Default    bool
	At                     *float64
	Hide, Lock             []string
	Engine                 int
	Reveal                 *string
	Problems               []struct{ Key, Text string }
	Knobs                  []knob
}

func read[T any](c *client) T {
	c.Helper()
	var v T
	require.NoError(c, json.Unmarshal(c.host.Text(), &v), "%s", c.host.Text())
	return v
}

func (c *client) open(link string) head {
	c.Helper()
	require.Equal(c, Done, c.call(Open, 0, "toy\n"+link, 0))
	return read[head](c)
}

// finish steps until done and returns the number of steps.
func (c *client) finish(op Op, handle, budget int32) int {
	c.Helper()
	for n := 1; n < 1000; n++ {
		switch s := c.call(op, handle, "", budget); s {
		case Done:
			return n
		case More:
		default:
			require.Equal(c, More, s)
		}
	}
	require.Fail(c, "never done")
	return 0
}

func TestOpen(t *testing.T) {
	c := newClient(t)
	h := c.open("#rate=12.5&lock=size,seed&hide=bet&theme=dark&at=3&x=1&mode=nope")
	assert.Equal(t, int32(1), h.Handle)
	assert.Equal(t, "v=1&seed=7&rate=12.5&lock=seed,size&hide=bet&theme=dark&at=3&x=1", h.State)
	assert.Equal(t, uint32(7), h.Seed)
	assert.Equal(t, "7", h.SeedText)
	assert.True(t, h.SeedLocked)
	assert.False(t, h.Default)
	assert.Equal(t, "dark", h.Theme)
	assert.Equal(t, 3.0, *h.At)
	assert.Equal(t, []string{"bet"}, h.Hide)
	assert.Equal(t, []string{"seed", "size"}, h.Lock)
	assert.Equal(t, demo.EngineVersion, h.Engine)
	assert.Equal(t, "v=1&seed=7&rate=20", *h.Reveal)
	require.Len(t, h.Problems, 2)
	assert.Equal(t, `toy: "x" is no setting of this demo; it stays in the link and changes nothing`, h.Problems[1].Text)
	assert.Equal(t, "mode", h.Problems[0].Key)
	assert.Equal(t, `mode: "nope" is not an option; legal: plain, broken or panic`, h.Problems[0].Text)
	require.Len(t, h.Knobs, 3)
	assert.Equal(t, knob{Name: "rate", Text: "12.5", ValueText: "12.5 requests/s", Pos: 24, Positions: 39}, h.Knobs[1])
	assert.Equal(t, knob{Name: "mode", Text: "plain", ValueText: "Plain", Positions: 2, Default: true}, h.Knobs[2])
	assert.True(t, h.Knobs[0].Locked)

	h = c.open("")
	assert.Equal(t, int32(2), h.Handle)
	assert.Nil(t, h.At)
	assert.True(t, h.Default)
	assert.Empty(t, h.Problems)

	assert.Equal(t, Problem, c.call(Open, 0, "ghost\nv=1", 0))
	assert.Contains(t, string(c.host.Text()), `demo: \"ghost\" is not known here`)
	assert.Equal(t, BadCall, c.call(Open, 0, "toy", 0))
}

// A link that cannot run shows the defaults and says why.
func TestOpenCannotRun(t *testing.T) {
	c := newClient(t)
	h := c.open("mode=broken&theme=dark")
	assert.Equal(t, "v=1&seed=7&theme=dark", h.State)
	require.Len(t, h.Problems, 1)
	assert.Contains(t, h.Problems[0].Text, "mode broken does not go with anything")
	assert.Equal(t, Done, c.call(Step, h.Handle, "", 1000))
}

func TestRunAndFiles(t *testing.T) {
	c := newClient(t)
	h := c.open("size=1000&rate=2")
	for _, op := range []Op{Frame, CSV, JSON, Bet} {
		assert.Equal(t, More, c.call(op, h.Handle, "", 0), "op %d before the end", op)
	}
	assert.Equal(t, More, c.call(Step, h.Handle, "", 250))
	assert.JSONEq(t, `{"progress":0.25}`, string(c.host.Text()))
	assert.Equal(t, 3, c.finish(Step, h.Handle, 250))
	assert.JSONEq(t, `{"progress":1}`, string(c.host.Text()))
	assert.Equal(t, Done, c.call(Step, h.Handle, "", 1), "a step after the end")

	s, _ := demo.Parse(toy, "size=1000&rate=2")
	task, err := demo.Run(s)
	require.NoError(t, err)
	doc, nums := draw.Frame(s, task)
	require.Equal(t, Done, c.call(Frame, h.Handle, "", 0))
	assert.Equal(t, string(doc), string(c.host.Text()))
	assert.Equal(t, nums, c.host.Nums())
	require.Equal(t, Done, c.call(CSV, h.Handle, "", 0))
	assert.Equal(t, string(demo.CSV(s, task)), string(c.host.Text()))
	assert.Empty(t, c.host.Nums())
	require.Equal(t, Done, c.call(JSON, h.Handle, "", 0))
	assert.Equal(t, string(demo.JSON(s, task)), string(c.host.Text()))
	assert.Equal(t, BadCall, c.call(CSV, h.Handle, "", 2))
	assert.Equal(t, NoHandle, c.call(CSV, h.Handle, "", 1))
}

// The newest change wins: whatever ran before is gone.
func TestChangesReplaceTheRun(t *testing.T) {
	c := newClient(t)
	h := c.open("size=1000")
	for _, change := range []struct {
		op   Op
		in   string
		arg  int32
		want string
	}{
		{Set, "rate=9", 0, "v=1&seed=7&size=1000&rate=9"},
		{Set, "seed=8", 0, "v=1&seed=8&size=1000&rate=9"},
		{Slide, "rate", 0, "v=1&seed=8&size=1000&rate=0.5"},
		{Restore, "#size=2000&hide=bet", 0, "v=1&seed=7&size=2000&hide=bet"},
		{Restore, "rate=3&theme=dark", 1, "v=1&seed=7&rate=3&hide=bet"},
	} {
		require.Equal(t, More, c.call(Seeds, h.Handle, "", 3))
		require.Equal(t, More, c.call(Step, h.Handle, "", 50))
		require.Equal(t, Done, c.call(change.op, h.Handle, change.in, change.arg))
		assert.Equal(t, change.want, read[head](c).State)
		assert.Equal(t, More, c.call(Step, h.Handle, "", 1))
		assert.Less(t, read[struct{ Progress float64 }](c).Progress, 0.05, "the old run goes on after %s", change.in)
		assert.Equal(t, NoHandle, c.call(SeedsStep, h.Handle, "", 1))
	}
	for _, change := range [][2]string{{"seed=7", "v=1&seed=7&rate=3&engine=99"}, {"rate=3&seed=8", "v=1&seed=8&rate=3"}} {
		require.Equal(t, Done, c.call(Restore, h.Handle, "rate=3&engine=99", 0))
		require.Equal(t, Done, c.call(Restore, h.Handle, "rate=3&"+change[0], 1))
		assert.Equal(t, change[1], read[head](c).State, "another run is not that engine's")
	}
	require.Equal(t, Done, c.call(Restore, h.Handle, "rate=3&hide=bet", 0))
	c.finish(Step, h.Handle, 10)
	require.Equal(t, Done, c.call(CSV, h.Handle, "", 0))
	s, _ := demo.Parse(toy, "rate=3&hide=bet")
	task, _ := demo.Run(s)
	assert.Equal(t, string(demo.CSV(s, task)), string(c.host.Text()))

	// A change that is none keeps the finished run.
	require.Equal(t, Done, c.call(Set, h.Handle, "rate=3.0", 0))
	assert.Equal(t, Done, c.call(Frame, h.Handle, "", 0))
	require.Equal(t, Done, c.call(Restore, h.Handle, "rate=3&theme=dark", 0))
	assert.Equal(t, Done, c.call(Frame, h.Handle, "", 0))
	assert.Contains(t, string(c.host.Text()), "theme=dark")
}

func TestRefusedChangesLeaveEverything(t *testing.T) {
	c := newClient(t)
	h := c.open("size=200")
	require.Equal(t, More, c.call(Step, h.Handle, "", 100))
	for _, change := range []struct {
		op   Op
		in   string
		arg  int32
		want Status
	}{
		{Set, "rate=99", 0, Problem},
		{Set, "rate=", 0, Problem},
		{Set, "ghost=1", 0, Problem},
		{Set, "mode=broken", 0, Problem},
		{Set, "rate", 0, BadCall},
		{Slide, "ghost", 0, Problem},
		{Slide, "rate", 40, BadCall},
		{Slide, "rate", -1, BadCall},
		{Slide, "mode", 1, Problem},
		{Restore, "mode=broken", 0, Problem},
		{Restore, "", 2, BadCall},
		{Step, "", 0, BadCall},
		{Step, "", -1, BadCall},
		{Step, "", MaxBudget + 1, BadCall},
		{Seeds, "", 0, BadCall},
		{Seeds, "", MaxSeeds + 1, BadCall},
		{SeedsStep, "", 1, NoHandle},
		{SeedsFrame, "", 1, NoHandle},
		{Seek, "soon", 0, Problem},
		{Room, "", 0, Problem},
		{16, "", 0, BadCall},
		{0, "", 0, BadCall},
		{-1, "", 0, BadCall},
	} {
		assert.Equal(t, change.want, c.call(change.op, h.Handle, change.in, change.arg), "%d %s %d", change.op, change.in, change.arg)
		if change.want == Problem {
			problems := read[struct{ Problems []struct{ Key, Text string } }](c).Problems
			require.NotEmpty(t, problems)
			assert.NotEmpty(t, problems[0].Text)
		} else {
			assert.Empty(t, c.host.Text())
		}
	}
	assert.Equal(t, Done, c.call(Step, h.Handle, "", 100), "the run lost its place")
	for op := Set; op <= Room; op++ {
		assert.Equal(t, NoHandle, c.call(op, 99, "", 0))
	}
	assert.Equal(t, BadCall, Status(c.host.Call(int32(Set), h.Handle, -1, 0)))
	assert.Equal(t, BadCall, Status(c.host.Call(int32(Set), h.Handle, 1<<30, 0)))
}

func TestRestoreReportsProblems(t *testing.T) {
	c := newClient(t)
	h := c.open("")
	require.Equal(t, Done, c.call(Restore, h.Handle, "rate=99&size=5", 0))
	got := read[head](c)
	assert.Equal(t, "v=1&seed=7&size=5", got.State)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, "rate", got.Problems[0].Key)
}

func TestSeeds(t *testing.T) {
	c := newClient(t)
	h := c.open("size=1000&rate=2")
	require.Equal(t, More, c.call(Seeds, h.Handle, "", 5))
	assert.Equal(t, More, c.call(SeedsFrame, h.Handle, "", 0))
	assert.Equal(t, More, c.call(CSV, h.Handle, "", 1))
	assert.Greater(t, c.finish(SeedsStep, h.Handle, 1000), 3)
	require.Equal(t, Done, c.call(SeedsFrame, h.Handle, "", 0))
	assert.Contains(t, string(c.host.Text()), `"name":"sum_median","label":"Sum, median","unit":"","value":18`)
	assert.Len(t, c.host.Nums(), 10)
	assert.Contains(t, string(c.host.Text()), `"html":"\u003cp class=`)

	s, _ := demo.Parse(toy, "size=1000&rate=2")
	task, err := demo.Spread(s, demo.SeedsFrom(7, 5))
	require.NoError(t, err)
	demo.Finish(task)
	require.Equal(t, Done, c.call(CSV, h.Handle, "", 1))
	assert.Equal(t, string(demo.CSV(s, task)), string(c.host.Text()))
	assert.Equal(t, More, c.call(Frame, h.Handle, "", 0), "the seeds run is another one")
}

func TestBet(t *testing.T) {
	c := newClient(t)
	h := c.open("theme=dark&own=x")
	c.finish(Step, h.Handle, 1000)
	assert.Equal(t, Problem, c.call(Bet, h.Handle, "", 0))
	assert.Contains(t, string(c.host.Text()), "the answer is in the run of")
	require.Equal(t, Done, c.call(Restore, h.Handle, *h.Reveal, 1))
	assert.Equal(t, More, c.call(Bet, h.Handle, "", 0))
	c.finish(Step, h.Handle, 1000)
	require.Equal(t, Done, c.call(Bet, h.Handle, "", 0))
	reveal, _ := demo.Parse(toy, toy.Bet.Reveal)
	found := toy.Bet.Found(&count{v: reveal.Values, seed: reveal.Seed})
	require.NotEmpty(t, found)
	marked := *h.Reveal + "&theme=dark&engine=" + strconv.Itoa(demo.EngineVersion) + "&own=x"
	assert.JSONEq(t, `{"score":0,"answer":1,"feedback":"no <b>","found":"`+found+`","link":"`+marked+`"}`, string(c.host.Text()))
	require.Equal(t, Done, c.call(Bet, h.Handle, "", 1))
	assert.JSONEq(t, `{"score":1,"answer":1,"feedback":"yes","found":"`+found+`","link":"`+marked+`"}`, string(c.host.Text()))
	assert.Equal(t, Problem, c.call(Bet, h.Handle, "", 2))
	assert.Equal(t, Problem, c.call(Bet, h.Handle, "", -1))
}

func TestHandles(t *testing.T) {
	c := newClient(t)
	for range MaxOpen {
		c.open("")
	}
	assert.Equal(t, Problem, c.call(Open, 0, "toy\n", 0))
	assert.Contains(t, string(c.host.Text()), "at most 64 open demos")
	assert.Equal(t, Done, c.call(Close, 5, "", 0))
	assert.Equal(t, NoHandle, c.call(Close, 5, "", 0))
	assert.Equal(t, int32(MaxOpen+1), c.open("").Handle, "a closed handle is not given again")
}

func TestFailures(t *testing.T) {
	c := newClient(t)
	h := c.open("mode=panic")
	assert.Equal(t, Failed, c.call(Step, h.Handle, "", 10))
	assert.JSONEq(t, `{"error":"index out of range"}`, string(c.host.Text()))
	assert.Equal(t, Failed, c.call(Open, 0, "toy\n", 0))
	assert.JSONEq(t, `{"error":"the engine has failed before"}`, string(c.host.Text()))

	c = newClient(t)
	assert.Equal(t, Failed, c.call(Fault, 0, "", 0))
	assert.Contains(t, string(c.host.Text()), "op 99")

	// A demo of another module is a problem to be told, not a failure.
	c = newClient(t)
	assert.Equal(t, Problem, c.call(Open, 0, "another\n", 0))
	assert.Equal(t, Done, c.call(Open, 0, "toy\n", 0))
}

func TestInput(t *testing.T) {
	var h Host
	assert.Nil(t, h.Input(-1))
	assert.Nil(t, h.Input(MaxInput+1))
	assert.Len(t, h.Input(MaxInput), MaxInput)
	assert.NotEmpty(t, h.Input(0), "an address is needed even for nothing")
}

// Whatever a page sends, the host answers with a status it knows, never
// panics and never hangs; answers are JSON or CSV.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{1, 0, 0, 5, 1, 100, 6, 1, 0, 9, 1, 3, 10, 1, 90, 11, 1, 0}, "rate=9&mode=plain", "size=50")
	f.Add([]byte{1, 0, 0, 4, 1, 1, 3, 1, 2, 12, 1, 0, 13, 1, 0, 99, 0, 0, 1, 0, 0}, "mode=panic", "rate")
	f.Fuzz(func(t *testing.T, ops []byte, link, in string) {
		c := &client{T: t, host: Host{Demos: []*demo.Demo{toy}}}
		if len(link) > MaxInput-4 || len(in) > MaxInput || len(ops) > 600 {
			return
		}
		failed := false
		for ; len(ops) >= 3; ops = ops[3:] {
			op, input := Op(int8(ops[0])), in
			if op == Open {
				input = "toy\n" + link
			}
			if op == Restore {
				input = link
			}
			status := c.call(op, int32(int8(ops[1])), input, int32(int8(ops[2]))*7)
			require.Contains(t, []Status{Done, More, Problem, NoHandle, Failed, BadCall}, status)
			if failed {
				require.Equal(t, Failed, status)
			}
			failed = status == Failed
			answer := c.host.Text()
			switch {
			case status == NoHandle || status == BadCall:
				require.Empty(t, answer)
			case op == CSV && status == Done:
			case len(answer) > 0:
				require.True(t, json.Valid(answer), "%d: %s", op, answer)
			}
		}
	})
}
