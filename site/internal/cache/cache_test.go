package cache

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDoMakesOnce(t *testing.T) {
	dir := t.TempDir()
	calls := 0
	mk := func() ([]byte, error) { calls++; return []byte("result"), nil }

	first := Open(dir)
	for range 2 {
		b, err := first.Do("svg", mk, "a", "b")
		require.NoError(t, err)
		assert.Equal(t, "result", string(b))
	}
	b, err := Open(dir).Do("svg", mk, "a", "b")
	require.NoError(t, err)
	assert.Equal(t, "result", string(b))
	assert.Equal(t, 1, calls, "a second process finds the file")
	assert.Equal(t, 1, first.Made())
}

func TestDoKeepsKindsAndPartsApart(t *testing.T) {
	s := Open("")
	get := func(kind string, parts ...string) string {
		b, err := s.Do(kind, func() ([]byte, error) { return []byte(kind + " of " + parts[0]), nil }, parts...)
		require.NoError(t, err)
		return string(b)
	}
	assert.Equal(t, "svg of ab", get("svg", "ab", "c"))
	assert.Equal(t, "svg of a", get("svg", "a", "bc"))
	assert.Equal(t, "math of a", get("math", "a", "bc"))
}

func TestDoKeepsNoFailure(t *testing.T) {
	s := Open(t.TempDir())
	_, err := s.Do("svg", func() ([]byte, error) { return nil, errors.New("no") }, "a")
	require.EqualError(t, err, "no")
	b, err := s.Do("svg", func() ([]byte, error) { return []byte("yes"), nil }, "a")
	require.NoError(t, err)
	assert.Equal(t, "yes", string(b))
}
