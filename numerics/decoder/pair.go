package decoder

import "slices"

// Pair decodes one request twice: alone on its GPU, and among neighbors that
// come and go. Nothing else differs.
type Pair struct {
	alone, among *Row
	company      Company
}

// NewPair starts both from the prompt of the seed (not 0). The batch of the
// second is drawn from 1 to most (at least 1).
func NewPair(m *Model, seed uint32, most int, choice Choice, prec Precision) *Pair {
	p := &Pair{alone: m.NewRow(choice, prec), among: m.NewRow(choice, prec), company: NewCompany(seed, most)}
	prompt := m.Prompt(seed)
	p.alone.Start(prompt)
	p.among.Start(prompt)
	return p
}

// Step decodes one token of each. Where both rows hold the same window and the
// batch leaves every order as it is, the second result is the first and is not
// computed again; TestPairShortcut holds it to that.
func (p *Pair) Step() (alone, among, batch int) {
	batch = p.company.Batch()
	same := slices.Equal(p.alone.window, p.among.window) && sameOrders(p.alone.choice, 1, batch)
	alone = p.alone.Step(1)
	if same {
		p.among.Append(alone)
		return alone, alone, batch
	}
	return alone, p.among.Step(batch), batch
}

func sameOrders(c Choice, a, b int) bool {
	return c(Product, a) == c(Product, b) && c(Norm, a) == c(Norm, b)
}

// Parting decodes up to tokens tokens and returns the index of the first one
// that differs, or tokens if none does.
func (p *Pair) Parting(tokens int) int {
	for i := range tokens {
		if a, b, _ := p.Step(); a != b {
			return i
		}
	}
	return tokens
}

// Logits are those of the last Step. The second slice is up to date only if
// the two tokens differ or Step had to compute both. Both are reused by the
// next Step.
func (p *Pair) Logits() (alone, among []float32) { return p.alone.Logits(), p.among.Logits() }
