package float

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demotest"
)

func TestKernelSplits(t *testing.T) {
	d := demotest.Find(t, all, "kernel-splits")
	parts := func(link string, batch int) int {
		_, task := demotest.Run(t, d, link)
		return task.(*splitsRun).parts(batch)
	}
	assert.Equal(t, 7, parts("", 7))
	assert.Equal(t, 2, parts("gpu=h100", 16))
	assert.Equal(t, 4, parts("gpu=h100", 24))
	assert.NotEqual(t, 1, parts("gpu=h100", 26))
	assert.Equal(t, 1, parts("gpu=h100", 27))
	assert.NotEqual(t, 1, parts("heads=1&most=256", 172))
	assert.Equal(t, 1, parts("heads=1&most=256", 173))

	_, task := demotest.Run(t, d, "kernel=norm&most=512")
	assert.EqualValues(t, 256, demotest.Metric(t, task, "first_change"))
	assert.Len(t, task.Figures()[0].Marks, 1)
	_, task = demotest.Run(t, d, "kernel=matmul&most=64")
	assert.Zero(t, demotest.Metric(t, task, "rises"))
	_, task = demotest.Run(t, d, "")
	assert.Positive(t, demotest.Metric(t, task, "rises"), "attention is not monotone")
}
