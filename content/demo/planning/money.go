package planning

import (
	"math"

	"openloop/content/demo/text"
)

// Money and shares for prose.

// usd is an amount: $5.68, $0.012, −$3.
func usd(x float64) string {
	if x < 0 {
		return "−$" + text.Num(-x, 3)
	}
	return "$" + text.Num(x, 3)
}

// percent is a share with three digits: 77.8%.
func percent(share float64) string { return text.Percent(share, 3) }

// points is a difference of two shares, without sign: "2.3 points".
func points(difference float64) string {
	return text.Num(100*math.Abs(difference), 2) + " points"
}

// ofHundred are the shares 0, 1/n, ... 1 in percent.
func ofHundred(n int) []float64 {
	x := make([]float64, n+1)
	for i := range x {
		x[i] = 100 * float64(i) / float64(n)
	}
	return x
}
