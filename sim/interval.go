package sim

import "math"

// Interval is a confidence interval of a mean, with what it was made from.
// Where there is too little for one it is infinite, not absent.
type Interval struct {
	Mean   float64
	Lo, Hi float64
	SD     float64 // of the values averaged: batch means, or one value a seed
	Min    float64
	Max    float64
	Count  int // values averaged: batches, or seeds

	// Lag1 is the correlation of each batch mean with the next; 0 over seeds,
	// which are independent. Well above 0 the batches are too short and the
	// interval is too narrow.
	Lag1 float64
}

// OverSeeds is the t interval of a quantity of which each seed gave one value:
// a mean, a percentile, a goodput. It needs no assumption inside a run, so it
// is the interval to prefer. A NaN value makes it all NaN.
func OverSeeds(values []float64, level float64) Interval {
	out := Interval{Count: len(values), Min: math.Inf(1), Max: math.Inf(-1)}
	for _, x := range values {
		out.Mean += x
		out.Min = min(out.Min, x)
		out.Max = max(out.Max, x)
	}
	if len(values) == 0 {
		nan := math.NaN()
		return Interval{Mean: nan, Lo: math.Inf(-1), Hi: math.Inf(1), SD: nan, Min: nan, Max: nan}
	}
	out.Mean /= float64(len(values))
	out.SD = deviation(values, out.Mean)
	half := halfWidth(out.SD, out.Count, level)
	out.Lo, out.Hi = out.Mean-half, out.Mean+half
	return out
}

// deviation is the standard deviation with n-1; 0 for one value.
func deviation(values []float64, mean float64) float64 {
	if len(values) < 2 {
		return 0
	}
	squares := 0.0
	for _, x := range values {
		squares += float64((x - mean) * (x - mean))
	}
	return math.Sqrt(squares / float64(len(values)-1))
}

// halfWidth is half of the t interval of a mean of n values.
func halfWidth(sd float64, n int, level float64) float64 {
	if n < 2 {
		return math.Inf(1)
	}
	return float64(TQuantile((1+level)/2, n-1) * sd / math.Sqrt(float64(n)))
}

// minPerBatch is the fewest values a batch mean is made of.
const minPerBatch = 5

// BatchMeans is a confidence interval of the mean of one correlated series,
// such as latencies in the order of sending: the series is cut into equal
// batches, long enough for their means to be nearly independent and normal,
// and those get a t interval (Law and Kelton, Simulation Modeling and
// Analysis; Schmeiser 1982 advises 10 to 30 batches). batches is at least 2.
//
// The series must be stationary: cut the warm-up off first. With fewer than 5
// values a batch the interval is infinite. Look at Lag1.
func BatchMeans(series []float64, batches int, level float64) Interval {
	return batchMeans(len(series), batches, level, func(i int) float64 { return series[i] })
}

func batchMeans(n, batches int, level float64, at func(i int) float64) Interval {
	if batches < 2 {
		panic("sim: batch means need two batches")
	}
	if n < batches*minPerBatch {
		sum := 0.0
		for i := range n {
			sum += at(i)
		}
		out := OverSeeds(nil, level)
		if n > 0 {
			out.Mean = sum / float64(n)
		}
		return out
	}
	means := make([]float64, batches)
	for b := range means {
		from, to := b*n/batches, (b+1)*n/batches
		sum := 0.0
		for i := from; i < to; i++ {
			sum += at(i)
		}
		means[b] = sum / float64(to-from)
	}
	out := OverSeeds(means, level)
	out.Lag1 = lag1(means, out.Mean)
	return out
}

// lag1 is the correlation of neighbors; 0 if nothing varies but by rounding.
func lag1(values []float64, mean float64) float64 {
	with, squares := 0.0, 0.0
	for i, x := range values {
		squares += float64((x - mean) * (x - mean))
		if i > 0 {
			with += float64((values[i-1] - mean) * (x - mean))
		}
	}
	if squares <= float64(1e-24*mean*mean*float64(len(values))) {
		return 0
	}
	return with / squares
}
