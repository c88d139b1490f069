package demo

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asking is a demo with two questions, or rather one knob that asks and two that
// answer.
var asking = &Demo{
	ID: "asking", Version: 1,
	Knobs: []Knob{
		Choice("hard", "Hard", "How.", "no", "no", "yes", "yes"),
		{Name: "size", Label: "Size", Max: 10, Step: 1, Default: 2},
		{Name: "guess", Label: "Guess", Max: 10, Step: 1, Answer: true},
		func() Knob {
			k := Choice("mark", "Mark", "Whether.", "off", "off", "on", "on")
			k.Answer = true
			return k
		}(),
	},
}

// TestAnswersAreOfOneQuestion: what was answered goes back when something else is
// asked, and only then; what is locked stays.
func TestAnswersAreOfOneQuestion(t *testing.T) {
	const answered = "v=1&seed=7&guess=4&mark=on"
	for _, c := range []struct{ name, link, key, value, want string }{
		{"another seed", answered, "seed", "8", "v=1&seed=8"},
		{"the same seed", answered, "seed", "7", answered},
		{"another question", answered, "hard", "yes", "v=1&seed=7&hard=yes"},
		{"the same question", answered, "hard", "no", answered},
		{"a number that asks", answered, "size", "3", "v=1&seed=7&size=3"},
		{"another answer", answered, "guess", "5", "v=1&seed=7&guess=5&mark=on"},
		{"taken back", answered, "mark", "off", "v=1&seed=7&guess=4"},
		{"locked", answered + "&lock=guess", "seed", "8", "v=1&seed=8&guess=4&lock=guess"},
		{"all locked", answered + "&lock=all", "hard", "yes", "v=1&seed=7&hard=yes&guess=4&mark=on&lock=all"},
	} {
		s, problems := Parse(asking, c.link)
		require.Empty(t, problems, c.name)
		next, p := s.Set(c.key, c.value)
		require.Nil(t, p, c.name)
		assert.Equal(t, c.want, next.String(), c.name)
		assert.Equal(t, c.link, s.String(), "%s: a state is a value", c.name)
	}
	s, _ := Parse(asking, answered)
	assert.Equal(t, "v=1&seed=7&size=3", s.Slide("size", 3).String(), "a slider asks too")
	assert.Equal(t, "v=1&seed=7&guess=9&mark=on", s.Slide("guess", 9).String())
}

// TestRound: all answers to one question have the same, whatever the page looks like.
func TestRound(t *testing.T) {
	for _, link := range []string{"hard=yes", "hard=yes&guess=3", "hard=yes&guess=4&mark=on", "hard=yes&mark=on&theme=dark&hide=foot&at=3&lock=seed,guess"} {
		s, _ := Parse(asking, link)
		assert.Equal(t, "v=1&seed=7&hard=yes", s.Round().String(), link)
	}
	s, _ := Parse(asking, "hard=yes&seed=8")
	assert.Equal(t, "v=1&seed=8&hard=yes", s.Round().String())
}
