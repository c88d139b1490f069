package decoder

import "testing"

func BenchmarkNew(b *testing.B) {
	for range b.N {
		if _, err := New(Small(), 7); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	m, err := New(Small(), 7)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		batch int
		prec  Precision
	}{{"cut in 4", 1, Float32}, {"uncut", 64, Float32}, {"bf16 partials", 1, BF16Partials}} {
		b.Run(c.name, func(b *testing.B) {
			row := m.NewRow(Usual(108), c.prec)
			row.Start(m.Prompt(7))
			for range b.N {
				row.Step(c.batch)
			}
		})
	}
}
