package numerics_test

import (
	"fmt"

	"openloop/numerics"
)

// The same four numbers, added in two orders.
func ExampleSum() {
	v := []float32{0x1p24, 1, 1, 1}
	left, _ := numerics.Sum(numerics.Sequential, v, nil)
	tree, _ := numerics.Sum(numerics.Pairwise, v, nil)
	fmt.Printf("%.0f %.0f, truly %.0f\n", left, tree, numerics.ExactSum(v))
	// Output: 16777216 16777218, truly 16777220
}

// A logit whose inner dimension is cut into 1, 2, 4, 8 and 16 parts, as a
// kernel does when the batch leaves processors idle; the winner of the pair
// changes back and forth.
func ExampleArgmax() {
	a, b := make([]float32, 1024), make([]float32, 1024)
	numerics.Fill(numerics.BF16Dot, 2956, a)
	numerics.Fill(numerics.BF16Dot, 5180, b)
	for _, k := range []int{1, 2, 4, 8, 16} {
		la, _ := numerics.Sum(numerics.SplitK(k), a, nil)
		lb, _ := numerics.Sum(numerics.SplitK(k), b, nil)
		fmt.Print(numerics.Argmax([]float32{la, lb}), " ")
	}
	fmt.Println()
	// Output: 0 0 1 0 1
}

func ExampleExact() {
	var e numerics.Exact
	for range 10 {
		e.Add(0.1) // the float32 next to 0.1
	}
	sum, _ := numerics.Sum(numerics.Sequential, []float32{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}, nil)
	fmt.Println(e.Float32(), sum, numerics.ULPs(sum, e.Float32()))
	// Output: 1 1.0000001 1
}

func ExampleRoundBF16() {
	fmt.Println(numerics.RoundBF16(20.06), numerics.RoundBF16(20.07), numerics.Spacing(20))
	// Output: 20 20.125 1.9073486e-06
}

func ExampleParseOrder() {
	o, ok := numerics.ParseOrder("block256")
	fmt.Println(o, ok, o == numerics.Block(256))
	// Output: block256 true true
}
