package tex

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/site/internal/cache"
)

const nodeModules = "../../../wasm/glue/node_modules"

func TestSet(t *testing.T) {
	s := NewSetter(nodeModules, cache.Open(""))
	inline, err := s.Set(`x_i < 2^{-24}`, false)
	require.NoError(t, err)
	assert.Equal(t, `<math><mrow><msub><mi>x</mi><mi>i</mi></msub><mo>&lt;</mo><msup><mn>2</mn><mrow><mo>−</mo><mn>24</mn></mrow></msup></mrow></math>`, inline)

	block, err := s.Set(`\left(10^{8} + (-10^{8})\right) + 1 = \sum_{i=1}^n \frac{a_i}{b}`, true)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(block, `<math display="block">`), block)
	assert.NotContains(t, block, "annotation")
	assert.NotContains(t, block, "style=")
	require.NoError(t, xml.Unmarshal([]byte(block), new(struct{})), "well formed")
}

func TestSetReportsBadTeX(t *testing.T) {
	_, err := NewSetter(nodeModules, cache.Open("")).Set(`\nosuchcommand{x}`, false)
	assert.ErrorContains(t, err, `\nosuchcommand`)
}

func TestSetLoadsNothingThatIsCached(t *testing.T) {
	dir := t.TempDir()
	first := NewSetter(nodeModules, cache.Open(dir))
	want, err := first.Set("x", false)
	require.NoError(t, err)
	store := cache.Open(dir)
	got, err := NewSetter(nodeModules, store).Set("x", false)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Zero(t, store.Made())
}
