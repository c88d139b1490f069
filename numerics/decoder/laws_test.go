package decoder_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/numerics"
	"openloop/numerics/decoder"
)

const a100 = 108

func precisions() []decoder.Precision {
	return []decoder.Precision{decoder.Float32, decoder.BF16, decoder.BF16Partials}
}

func model(t *testing.T, seed uint32) *decoder.Model {
	t.Helper()
	m, err := decoder.New(decoder.Small(), seed)
	require.NoError(t, err)
	return m
}

// Batch-invariant kernels never part, whatever the seed and the company.
func TestInvariantNeverParts(t *testing.T) {
	for seed := uint32(1); seed <= 6; seed++ {
		m := model(t, seed)
		for _, most := range []int{2, 64, 512} {
			for _, prec := range precisions() {
				alone, among := m.NewRow(decoder.Invariant, prec), m.NewRow(decoder.Invariant, prec)
				alone.Start(m.Prompt(seed))
				among.Start(m.Prompt(seed))
				company := decoder.NewCompany(seed, most)
				for i := range 24 {
					require.Equal(t, alone.Step(1), among.Step(company.Batch()), "seed %d, token %d", seed, i)
					require.Equal(t, alone.Logits(), among.Logits(), "seed %d, token %d", seed, i)
				}
			}
		}
	}
}

// Alone twice is the same row twice, and company of at most one is alone.
func TestAloneIsAlone(t *testing.T) {
	for _, prec := range precisions() {
		m := model(t, 7)
		pair := decoder.NewPair(m, 7, 1, decoder.Usual(a100), prec)
		assert.Equal(t, 40, pair.Parting(40))
		a, b := m.NewRow(decoder.Usual(a100), prec), m.NewRow(decoder.Usual(a100), prec)
		a.Start(m.Prompt(7))
		b.Start(m.Prompt(7))
		for range 20 {
			require.Equal(t, a.Step(1), b.Step(1))
			require.Equal(t, a.Logits(), b.Logits())
		}
	}
}

// The batch must be able to matter, or the two laws above say nothing.
func TestUsualKernelsDiffer(t *testing.T) {
	m := model(t, 7)
	for _, prec := range precisions() {
		a, b := m.NewRow(decoder.Usual(a100), prec), m.NewRow(decoder.Usual(a100), prec)
		a.Start(m.Prompt(7))
		b.Start(m.Prompt(7))
		differ := 0
		for range 200 {
			a.Next(1)
			b.Next(64)
			for i, x := range a.Logits() {
				if x != b.Logits()[i] {
					differ++
				}
			}
			token := numerics.Argmax(a.Logits())
			a.Append(token)
			b.Append(token)
		}
		assert.Positive(t, differ, "precision %d", prec)
	}
}

// The shortcut of Pair gives what two full rows give.
func TestPairShortcut(t *testing.T) {
	for seed := uint32(1); seed <= 3; seed++ {
		m := model(t, seed)
		pair := decoder.NewPair(m, seed, 40, decoder.Usual(a100), decoder.BF16Partials)
		alone, among := m.NewRow(decoder.Usual(a100), decoder.BF16Partials), m.NewRow(decoder.Usual(a100), decoder.BF16Partials)
		alone.Start(m.Prompt(seed))
		among.Start(m.Prompt(seed))
		for range 60 {
			x, y, batch := pair.Step()
			require.Equal(t, alone.Step(1), x)
			require.Equal(t, among.Step(batch), y)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	m := model(t, 7)
	pair := decoder.NewPair(m, 7, 64, decoder.Usual(a100), decoder.BF16Partials)
	assert.Zero(t, testing.AllocsPerRun(10, func() { pair.Step() }))
}

func TestCompany(t *testing.T) {
	c := decoder.NewCompany(7, 5)
	seen := map[int]int{}
	for range 5000 {
		seen[c.Batch()]++
	}
	require.Len(t, seen, 5)
	for b := 1; b <= 5; b++ {
		assert.InDelta(t, 1000, seen[b], 150, "batch %d", b) // 5 standard deviations
	}
}

// At our width the two norms have the same order, so only products can part.
func TestNormSwitchIsInvisibleHere(t *testing.T) {
	v := make([]float32, decoder.Small().Width)
	usual := decoder.Usual(a100)
	require.NotEqual(t, usual(decoder.Norm, 255), usual(decoder.Norm, 256))
	for seed := uint32(1); seed <= 100; seed++ {
		numerics.Fill(numerics.Sq, seed, v)
		a, _ := numerics.Sum(usual(decoder.Norm, 255), v, nil)
		b, _ := numerics.Sum(usual(decoder.Norm, 256), v, nil)
		require.Equal(t, a, b)
	}
}

func TestNewRefuses(t *testing.T) {
	_, err := decoder.New(decoder.Small(), 0)
	require.ErrorContains(t, err, "seed 0")
	_, err = decoder.New(decoder.Config{Width: 8}, 7)
	require.ErrorContains(t, err, "1 or more")
}
