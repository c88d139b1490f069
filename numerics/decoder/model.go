package decoder

import (
	"errors"
	"math"

	"openloop/numerics"
)

// Config is the shape of a model. Every field is at least 1.
type Config struct {
	Width  int // values in the residual stream
	Hidden int // values inside a layer
	Layers int
	Vocab  int // tokens; a token is a number in 0..Vocab-1
	Window int // tokens that the next one depends on
}

// Small is the shape used by the guide: about 0.4 million weights.
func Small() Config {
	return Config{Width: 128, Hidden: 256, Layers: 4, Vocab: 256, Window: 4}
}

// LogitStd is the standard deviation that the logits of a model have, near
// enough: that of the 4096 logits of the published toy that we compare with.
const LogitStd = 3

// Model holds the weights. They are never changed, so rows may share them.
type Model struct {
	Config
	embed []float32 // Vocab x Width, standard deviation 1
	mix   []float32 // Width x Window*Width
	up    []float32 // Layers x Hidden x Width
	down  []float32 // Layers x Width x Hidden
	head  []float32 // Vocab x Width
}

// New draws the weights of a model from a seed (not 0): uniform numbers rounded
// to bf16, scaled so that a normed input gives sums of standard deviation 1 (in
// mix and up), 1 after the squared ReLU (in down), and LogitStd (in head).
func New(c Config, seed uint32) (*Model, error) {
	if min(c.Width, c.Hidden, c.Layers, c.Vocab, c.Window) < 1 {
		return nil, errors.New("decoder: every size in Config is 1 or more")
	}
	if seed == 0 {
		return nil, errors.New("decoder: seed 0 is not legal")
	}
	r := stream(seed, weightStream)
	m := &Model{Config: c}
	m.embed = weights(&r, c.Vocab*c.Width, 1)
	m.mix = weights(&r, c.Width*c.Window*c.Width, 1/math.Sqrt(float64(c.Window*c.Width)))
	m.up = weights(&r, c.Layers*c.Hidden*c.Width, 1/math.Sqrt(float64(c.Width)))
	m.down = weights(&r, c.Layers*c.Width*c.Hidden, 1/math.Sqrt(1.5*float64(c.Hidden)))
	m.head = weights(&r, c.Vocab*c.Width, LogitStd/math.Sqrt(float64(c.Width)))
	return m, nil
}

// weights draws n bf16 numbers, uniform in -sqrt(3)*std..sqrt(3)*std.
func weights(r *numerics.Rand, n int, std float64) []float32 {
	w := make([]float32, n)
	r.Fill(numerics.Sym, w)
	scale := float32(math.Sqrt(3) * std)
	for i, x := range w {
		w[i] = numerics.RoundBF16(float32(x * scale))
	}
	return w
}

// Prompt is the Window tokens that a request starts from.
func (m *Model) Prompt(seed uint32) []int {
	r := stream(seed, promptStream)
	p := make([]int, m.Window)
	for i := range p {
		p[i] = int(below(&r, uint32(m.Vocab)))
	}
	return p
}
