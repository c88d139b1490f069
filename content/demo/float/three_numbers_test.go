package float

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demotest"
)

func TestThreeNumbers(t *testing.T) {
	d := demotest.Find(t, all, "three-numbers")
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
		_, task := demotest.Run(t, d, c.link)
		assert.Equal(t, c.result, demotest.Metric(t, task, "result"), c.link)
	}
	_, task := demotest.Run(t, d, "")
	assert.Equal(t, 8.0, demotest.Metric(t, task, "spacing"))
}
