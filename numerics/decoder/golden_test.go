package decoder_test

import (
	"hash/fnv"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/numerics/decoder"
)

// The same tokens and the same logits, bit for bit, natively and as js/wasm.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name   string
		prec   decoder.Precision
		batch  int
		tokens []int
		logits string // FNV-1a of the bits of all logits
	}{
		{"float32 alone", decoder.Float32, 1, []int{127, 127, 33, 82, 198, 239, 253, 209, 198, 241, 198, 82, 96, 43, 0, 22}, "9fefffa2d92469fc"},
		{"float32 among 63", decoder.Float32, 64, []int{127, 127, 33, 82, 198, 239, 253, 209, 198, 241, 198, 82, 96, 43, 0, 22}, "9401f0bc0d2eae2a"},
		{"bf16 alone", decoder.BF16, 1, []int{127, 127, 33, 82, 198, 239, 253, 209, 198, 241, 198, 82, 96, 43, 0, 22}, "7ebc7c21c27252dd"},
		{"bf16 among 63", decoder.BF16, 64, []int{127, 127, 33, 82, 198, 239, 253, 209, 198, 241, 198, 82, 96, 43, 0, 22}, "755a3be3c3026472"},
		{"bf16 partials alone", decoder.BF16Partials, 1, []int{127, 127, 33, 82, 198, 239, 253, 209, 198, 225, 198, 198, 150, 10, 217, 28}, "d1d4cc88dd089603"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := model(t, 7)
			row := m.NewRow(decoder.Usual(a100), c.prec)
			row.Start(m.Prompt(7))
			tokens := make([]int, 16)
			hash := fnv.New64a()
			for i := range tokens {
				tokens[i] = row.Step(c.batch)
				for _, x := range row.Logits() {
					b := math.Float32bits(x)
					hash.Write([]byte{byte(b >> 24), byte(b >> 16), byte(b >> 8), byte(b)})
				}
			}
			assert.Equal(t, c.tokens, tokens)
			assert.Equal(t, c.logits, strconv.FormatUint(hash.Sum64(), 16))
		})
	}
}
