package dataset_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/planner/profile/dataset"
)

// Every data set says what its fields are.
func TestColumns(t *testing.T) {
	for _, e := range dataset.Entries() {
		columns := dataset.Columns(e.ID)
		assert.NotEmpty(t, columns, e.ID)
		for _, c := range columns {
			assert.NotEmpty(t, c.Name, e.ID)
			assert.NotEmpty(t, c.Says, e.ID)
		}
	}
	assert.Empty(t, dataset.Columns("no such set"))
	dataset.Columns("vidur")[0].Name = ""
	assert.NotEmpty(t, dataset.Columns("vidur")[0].Name, "a copy")
}
