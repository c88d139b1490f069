package demo

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// idle is the toy with an offset that counts with one policy, and a scale that
// counts unless the rate is 20.
func idle() *Demo {
	d := *toy
	d.Knobs = append([]Knob(nil), toy.Knobs...)
	d.Groups = []Group{{Title: "More"}}
	d.Knobs[2].Idle = NotAt("rate", 20)
	d.Knobs[5].Idle = OnlyWith("policy", "priority")
	d.Knobs[5].More, d.Knobs[5].Group = false, "More"
	return &d
}

// A setting that changes nothing stays in the link and says why; it counts again
// as soon as what it waits for is there.
func TestIdle(t *testing.T) {
	d := idle()
	offset := d.Index("offset")
	require.Empty(t, NewState(d).Unused(), "at its default nothing is missed")
	assert.Equal(t, "Policy is First come", NewState(d).Idle(offset))

	s, problems := Parse(d, "v=1&seed=7&offset=4")
	require.Empty(t, problems)
	require.Len(t, s.Unused(), 1)
	assert.Equal(t, `offset: "4" is not used now, and stays in the link: Policy is First come`, s.Unused()[0].Error())
	assert.Equal(t, "v=1&seed=7&offset=4", s.String())
	assert.Equal(t, "Offset 4 ms (not used now)", s.GroupSays("More"))

	s, problem := s.Set("policy", "priority")
	require.Nil(t, problem)
	assert.Empty(t, s.Unused())
	assert.Empty(t, s.Idle(offset))
	assert.Equal(t, "Offset 4 ms", s.GroupSays("More"))

	s, problems = Parse(d, "rate=20&scale=1")
	require.Empty(t, problems)
	assert.Equal(t, "Rate is 20 requests/s", s.Idle(d.Index("scale")))
	s, problem = s.Set("rate", "19")
	require.Nil(t, problem)
	assert.Empty(t, s.Idle(d.Index("scale")))
}

// What a demo offers itself must count.
func TestIdleInPreset(t *testing.T) {
	d := idle()
	require.Empty(t, d.Check())
	d.Presets = []Preset{{Name: "Moved", State: "offset=4", Says: "See."}}
	assert.NotEmpty(t, d.Check())
}
