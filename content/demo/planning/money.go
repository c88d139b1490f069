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
func percent(share float64) string {
	if share > 0 && share < 5e-5 {
		return "less than 0.01%"
	}
	return text.Percent(share, 3)
}

// points is a difference of two shares, without sign: "2.3 points".
func points(difference float64) string {
	return text.Num(100*math.Abs(difference), 2) + " points"
}

// differs says a difference in a unit, and same where nothing of it would be printed.
func differs(difference float64, unit func(float64) string, same, up, down string) string {
	switch says := unit(math.Abs(difference)); {
	case says == unit(0):
		return same
	case difference < 0:
		return says + " " + down
	default:
		return says + " " + up
	}
}

// moreRight says a difference in right answers.
func moreRight(difference float64) string {
	return differs(difference, points, "as many right", "more right", "fewer right")
}
