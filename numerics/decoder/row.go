package decoder

import (
	"math"

	"openloop/numerics"
)

// Row is one request as it is being decoded. A Row is not safe for use by two
// goroutines.
type Row struct {
	model  *Model
	choice Choice
	prec   Precision

	window  []int // the last Window tokens, oldest first
	input   []float32
	stream  []float32 // (Layers+1) x Width: the residual stream before and after each layer
	normed  []float32
	hidden  []float32
	delta   []float32
	logits  []float32
	scratch []float32
}

// NewRow makes a row that waits for Start.
func (m *Model) NewRow(choice Choice, prec Precision) *Row {
	return &Row{
		model: m, choice: choice, prec: prec,
		window:  make([]int, m.Window),
		input:   make([]float32, m.Window*m.Width),
		stream:  make([]float32, (m.Layers+1)*m.Width),
		normed:  make([]float32, m.Width),
		hidden:  make([]float32, m.Hidden),
		delta:   make([]float32, m.Width),
		logits:  make([]float32, m.Vocab),
		scratch: make([]float32, max(m.Window*m.Width, m.Hidden)),
	}
}

// Start sets the last Window tokens, oldest first; see Model.Prompt.
func (r *Row) Start(prompt []int) { copy(r.window, prompt) }

// Step is Next followed by Append.
func (r *Row) Step(batch int) (token int) {
	token = r.Next(batch)
	r.Append(token)
	return token
}

// Append makes token the newest of the window.
func (r *Row) Append(token int) {
	copy(r.window, r.window[1:])
	r.window[len(r.window)-1] = token
}

// Next computes the logits of the next token in a step of batch requests and
// returns the token with the largest; the lowest token wins a tie. It depends
// on the window, the weights and the orders, and on nothing else.
func (r *Row) Next(batch int) (token int) {
	m := r.model
	product, norm := r.choice(Product, batch), r.choice(Norm, batch)
	for i, t := range r.window {
		copy(r.input[i*m.Width:], m.embed[t*m.Width:(t+1)*m.Width])
	}
	x := r.Residual(0)
	r.product(product, m.mix, r.input, x)
	r.round(x)
	for l := range m.Layers {
		next := r.Residual(l + 1)
		r.layer(l, product, norm, x, next)
		x = next
	}
	r.rmsnorm(norm, x)
	r.product(product, m.head, r.normed, r.logits)
	r.round(r.logits)
	return numerics.Argmax(r.logits)
}

// layer is next = x + down(relu(up(norm(x)))^2).
func (r *Row) layer(l int, product, norm numerics.Order, x, next []float32) {
	m := r.model
	size := m.Hidden * m.Width
	r.rmsnorm(norm, x)
	r.product(product, m.up[l*size:(l+1)*size], r.normed, r.hidden)
	r.round(r.hidden)
	for i, u := range r.hidden {
		u = max(u, 0)
		r.hidden[i] = float32(u * u)
	}
	r.round(r.hidden)
	r.product(product, m.down[l*size:(l+1)*size], r.hidden, r.delta)
	r.round(r.delta)
	for i, d := range r.delta {
		next[i] = x[i] + d
	}
	r.round(next)
}

// rmsnorm sets normed to x over its root mean square. The root is exact to
// float32, since math.Sqrt is correctly rounded.
func (r *Row) rmsnorm(o numerics.Order, x []float32) {
	sum := numerics.DotOrder(o, x, x, r.scratch)
	mean := float32(sum/float32(len(x))) + 1e-6
	inverse := 1 / float32(math.Sqrt(float64(mean)))
	for i, v := range x {
		r.normed[i] = float32(v * inverse)
	}
	r.round(r.normed)
}

func (r *Row) round(v []float32) {
	if r.prec == Float32 {
		return
	}
	for i, x := range v {
		v[i] = numerics.RoundBF16(x)
	}
}

// Residual is the stream before the first layer (0) or after layer l, from the
// last Next. The slice is reused by the next one.
func (r *Row) Residual(l int) []float32 {
	w := r.model.Width
	return r.stream[l*w : (l+1)*w]
}

// Logits are those of the last Next; the slice is reused by the next one.
func (r *Row) Logits() []float32 { return r.logits }
