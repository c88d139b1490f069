package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
	"openloop/content/demotest"
)

// The presets against traces made by hand with the rules of the scheduler.
func TestStepTrace(t *testing.T) {
	d := demotest.Find(t, Demos(), "step-trace")
	for _, c := range []struct {
		link  string
		rows  []string // step, A, B, ..., tokens, blocks
		table []string
	}{
		{"", []string{
			"1 2 3 4 5 6", "+7 +1 +1 +1 +1 +1", "+7 +1 +1 +1 · ·", "+7 +1 back wait +9 ·", "21 3 2 2 10 1", "6 6 6 6 6 3",
		}, []string{"A 7 after 0, B 7 after 0, C 7 after 0", "A 1 after 7, B 1 after 7, C 1 after 7", "A 1 after 8, B 1 after 8", "A 1 after 9, B 1 after 9", "A 1 after 10, C 9 after 0", "A 1 after 11"}},
		{"async=on", []string{
			"1 2 3 4 5 6", "+7 +1 +1 +1 +1 +1", "+7 +1 +1 +1 · ·", "+7 +1 back wait wait +9", "21 3 2 2 1 10", "6 6 6 6 6 6",
		}, nil},
		{"requests=long&blocks=24&budget=8", []string{
			"1 2 3", "+8 +2 +1", "wait +6 +1", "8 8 2", "2 5 5",
		}, []string{"A 8 after 0", "A 2 after 8, B 6 after 0", "A 1 after 10, B 1 after 6"}},
		{"requests=shared&blocks=24", []string{
			"1 2 3", "+10 +1 +1", "· +3 +1", "10 4 2", "3 4 4",
		}, []string{"A 10 after 0", "A 1 after 10, B 3 after 8", "A 1 after 11, B 1 after 11"}},
		{"requests=again&blocks=5", []string{
			"1 2 3 4", "+12 · · ·", "· +8 · ·", "· · +8 ·", "· · · +8", "12 8 8 8", "3 2 2 3",
		}, []string{"A 12 after 0", "B 8 after 0", "C 8 after 0", "D 8 after 4"}},
	} {
		_, task := demotest.Run(t, d, c.link)
		f := task.Figures()[0]
		var rows []string
		for _, s := range f.Strips {
			rows = append(rows, row(s))
		}
		assert.Equal(t, c.rows, rows, c.link)
		for i, want := range c.table {
			assert.Equal(t, want, f.Table.Rows[i][2].Text, c.link)
		}
	}
	_, task := demotest.Run(t, d, "")
	assert.Equal(t, "6 steps for 3 requests; the last answer is complete at 60 ms. Requests were put back 1 time, and 8 tokens were computed again. At most 6 blocks were held.", task.Summary().String())
	assert.Len(t, task.Events(), 1)
}

// row is a strip in one line, as a reader sees it.
func row(s demo.Strip) string {
	var cells []string
	for _, c := range s.Cells {
		cells = append(cells, strings.TrimRight(c.Text, "\u00a0"))
	}
	return strings.Join(cells, " ")
}

// The run as it was at a time: steps that have begun are there, the others are
// blank; at the end it is the whole run, and numbers and files are that always.
func TestStepTraceClock(t *testing.T) {
	d := demotest.Find(t, Demos(), "step-trace")
	_, whole := demotest.Run(t, d, "")
	for _, c := range []struct{ at, steps, tokens, c, says string }{
		{"0", "1 2 3 4 5 6", "21     ", "+7     ", "At 0 ms of 60 ms, 1 of 6 steps has begun. A: 0 of 6 tokens. B: 0 of 4 tokens. C: 0 of 3 tokens."},
		{"9.9", "1 2 3 4 5 6", "21     ", "+7     ", "At 9.9 ms of 60 ms, 1 of 6 steps has begun. A: 0 of 6 tokens. B: 0 of 4 tokens. C: 0 of 3 tokens."},
		{"10", "1 2 3 4 5 6", "21 3    ", "+7 +1    ", "At 10 ms of 60 ms, 2 of 6 steps have begun. A: 1 of 6 tokens. B: 1 of 4 tokens. C: 1 of 3 tokens."},
		{"30", "1 2 3 4 5 6", "21 3 2 2  ", "+7 +1 back wait  ", "At 30 ms of 60 ms, 4 of 6 steps have begun. A: 3 of 6 tokens. B: 3 of 4 tokens. C: 2 of 3 tokens, in the queue."},
		{"50", "1 2 3 4 5 6", "21 3 2 2 10 1", "+7 +1 back wait +9 ·", "At 50 ms of 60 ms, 6 of 6 steps have begun. A: 5 of 6 tokens. B: 4 of 4 tokens. C: 3 of 3 tokens."},
	} {
		_, task := demotest.Run(t, d, "at="+c.at)
		f := task.Figures()[0]
		assert.Equal(t, c.steps, row(f.Strips[0]), c.at)
		assert.Equal(t, c.c, row(f.Strips[3]), c.at)
		assert.Equal(t, c.tokens, row(f.Strips[4]), c.at)
		assert.Equal(t, c.says, task.Summary().String())
		assert.Equal(t, whole.Metrics(), task.Metrics())
		assert.Equal(t, whole.Records(), task.Records())
		task.(demo.Timed).Seek(60)
		assert.Equal(t, whole.Figures(), task.Figures())
		assert.Equal(t, whole.Summary(), task.Summary())
		assert.Len(t, task.Events(), len(whole.Events()))
	}
	_, task := demotest.Run(t, d, "at=19.9")
	assert.Empty(t, task.Events(), "what happens later")
	_, task = demotest.Run(t, d, "at=20")
	assert.Len(t, task.Events(), 1)
}

// Every corner of the knobs runs, within the rows of a figure's table.
func TestStepTraceCorners(t *testing.T) {
	d := demotest.Find(t, Demos(), "step-trace")
	for _, s := range scenes() {
		for _, link := range []string{"blocks=3&budget=4", "blocks=3&budget=32&async=on", "blocks=4&seats=1&cache=off", "blocks=24&budget=5&async=on"} {
			_, task := demotest.Run(t, d, "requests="+s.name+"&"+link)
			for _, i := range task.(*stepRun).res.DoneAt {
				assert.Less(t, milliseconds(i), 1000.0, s.name+" "+link)
			}
		}
	}
}
