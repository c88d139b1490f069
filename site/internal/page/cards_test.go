package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
	"openloop/content/demo/draw"
)

// TestCards: in a table of sentences each cell has the head of its column, however
// it is written; a table of numbers or of few columns is left as it is.
func TestCards(t *testing.T) {
	long := strings.Repeat("word ", 10)
	wide := demo.Table{Caption: "c", Columns: []demo.Column{{Name: "A"}, {Name: `B "x"`, Unit: "s"}, {Name: "C & D"}, {Name: "E"}}}
	wide.Rows = [][]demo.Cell{{demo.W("one"), demo.N(2), demo.W(long), demo.W("<td>")}, {demo.N(1), demo.N(2), demo.W("x"), demo.W("")}}
	got := cards(draw.Table(wide), wide)
	assert.Contains(t, got, `<table class="cards"><caption>c</caption>`)
	assert.Equal(t, 1+4, strings.Count(got, ` data-head="`)+strings.Count(got, `<th scope="row"`)-3, "every cell but the head of a row")
	assert.Equal(t, 2, strings.Count(got, `data-head="B &#34;x&#34; (s)"`))
	assert.Equal(t, 2, strings.Count(got, `data-head="C &amp; D"`))
	assert.NotContains(t, got, "&lt;td data-head")
	for name, plain := range map[string]demo.Table{
		"few columns": {Columns: wide.Columns[:3], Rows: [][]demo.Cell{{demo.W("a"), demo.N(1), demo.W(long)}}},
		"no sentence": {Columns: wide.Columns, Rows: [][]demo.Cell{{demo.W("a"), demo.N(1), demo.W("b"), demo.W("c")}}},
	} {
		assert.Equal(t, draw.Table(plain), cards(draw.Table(plain), plain), name)
	}
}
