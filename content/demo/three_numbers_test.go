package demo

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestThreeNumbers(t *testing.T) {
	d := demoNamed(t, "three-numbers")
	for _, c := range []struct {
		link   string
		result float64
	}{
		{"", 1},
		{"brackets=small_first", 0},
		{"brackets=big_first", 0},
		{"brackets=small_first&small=4", 0}, // half a spacing: the even neighbor
		{"brackets=small_first&small=5", 8},
		{"brackets=small_first&small=12", 16}, // one and a half: the even neighbor again
		{"brackets=big_first&big=16777216", 0},
		{"brackets=big_first&big=16777215", 1}, // whole numbers are exact up to 2^24
		{"brackets=small_first&small=0", 0},
	} {
		_, task := runLink(t, d, c.link)
		assert.Equal(t, c.result, metric(t, task, "result"), c.link)
	}
	_, task := runLink(t, d, "")
	assert.Equal(t, 8.0, metric(t, task, "spacing"))
}
