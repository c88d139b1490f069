package queueing

import "openloop/numerics/detmath"

// Waits that follow one another are alike, so that many of them say little more
// than one.

// RunLength is how many requests of an M/M/1 queue a run must have for the
// interval of its mean wait to be within a share of the mean on either side. In
// the limit of long runs the variance of that mean, over the mean's square, is
// (2 + 5 rho - 4 rho^2 + rho^3) / (rho (1-rho)^2) for each request (Daley 1968;
// independent waits would have (2-rho)/rho).
func RunLength(load, share, level float64) float64 {
	z := detmath.NormQuantile((1 + level) / 2)
	return Variance(load) * (z / share) * (z / share)
}

// Variance is that relative variance for a run of one request.
func Variance(load float64) float64 {
	return (2 + 5*load - 4*load*load + load*load*load) / (load * (1 - load) * (1 - load))
}
