package route

import (
	"math"

	"openloop/numerics/detmath"
)

// aucCells is how finely AUC looks at difficulty; its error is below 2e-5 for
// tau of 0.02 and above.
const aucCells = 256

// AUC is how well the difficulty that the router sees tells the requests that
// only the strong model answers right from all others: what Router.AUC would
// be. Even without noise it stays below 1, because both models still guess. 0.5
// where there are no such requests, or no others.
//
// The requests of each kind are counted exactly in 256 cells of x and spread
// evenly within; the chance that one cell's score exceeds another's is a second
// difference of the twofold integral of Phi.
func (d Difficulty) AUC() float64 {
	const h = 1.0 / aucCells
	var wanted, below [aucCells]float64
	totalWanted, totalOther := 0.0, 0.0
	for i := range aucCells {
		a := float64(float64(i) * h)
		wanted[i], _ = d.exactlyOne(a, a+h)
		below[i] = max(0, h-wanted[i])
		totalWanted += wanted[i]
		totalOther += below[i]
	}
	if !(totalWanted > 0 && totalOther > 0) {
		return 0.5
	}
	var exceeds [2*aucCells - 1]float64
	for k := range exceeds {
		exceeds[k] = cellAbove(float64(k-(aucCells-1)), float64(sqrt2*d.Noise)*aucCells)
	}
	sum := 0.0
	for i, w := range wanted {
		row := 0.0
		for j, o := range below {
			row += float64(o * exceeds[i-j+aucCells-1])
		}
		sum += float64(w * row)
	}
	return sum / float64(totalWanted*totalOther)
}

// cellAbove is the chance that u + k + N(0, s^2) exceeds v, for u and v uniform
// on 0 to 1.
func cellAbove(k, s float64) float64 {
	switch {
	case s == 0 && k == 0:
		return 0.5
	case s == 0 && k > 0:
		return 1
	case s == 0:
		return 0
	case s > 16: // the second difference would cancel; Phi + Phi''/12 is as good
		z := k / s
		return detmath.NormCDF(z) - float64(z*density(z))/float64(12*float64(s*s))
	}
	second := psi2((k+1)/s) - 2*psi2(k/s) + psi2((k-1)/s)
	return float64(float64(s*s) * second)
}

// psi2 is the integral of psi: [(z^2+1)*Phi(z) + z*phi(z)]/2.
func psi2(z float64) float64 {
	return float64(0.5 * (float64((float64(z*z)+1)*detmath.NormCDF(z)) + float64(z*density(z))))
}

// ability is the theta with which a mean accuracy m is reached:
// m + tau*[ln(1 - e^(-m/tau)) - ln(1 - e^(-(1-m)/tau))], the inverse of the mean.
func ability(m, tau float64) float64 {
	return m + float64(tau*(detmath.Log(-expMinus1(-m/tau))-detmath.Log(-expMinus1(-(1-m)/tau))))
}

func withTau(weak, strong, tau float64) Difficulty {
	return Difficulty{ThetaWeak: ability(weak, tau), ThetaStrong: ability(strong, tau), Tau: tau}
}

// Fit is the Difficulty, without noise, that has the given rates. For each tau
// the two accuracies give the two abilities in closed form, and the share that
// only the strong model answers right then rises with tau, from strong - weak
// (whatever the weak model answers, the strong one does) to strong*(1 - weak)
// (their errors are independent); tau is found by bisection.
//
// Legal are accuracies of 0.001 to 0.999 and a Pi that some tau of 0.002 to 50
// yields; models whose errors are correlated negatively have none.
func Fit(r Rates) (Difficulty, error) {
	var k checker
	k.rates("", r)
	k.float("Weak", r.Weak, 0.001, 0.999)
	k.float("Strong", r.Strong, 0.001, 0.999)
	if k.Err != nil {
		return Difficulty{}, k.result()
	}
	pi := func(tau float64) float64 {
		p, _ := withTau(r.Weak, r.Strong, tau).exactlyOne(0, 1)
		return p
	}
	lo, hi := float64(minTau), float64(maxTau)
	k.float("Pi", r.Pi, pi(lo), pi(hi))
	if k.Err != nil {
		return Difficulty{}, k.result()
	}
	for hi-lo > float64(1e-14*hi) {
		mid := math.Sqrt(float64(lo * hi))
		if !(lo < mid && mid < hi) {
			break
		}
		if pi(mid) < r.Pi {
			lo = mid
		} else {
			hi = mid
		}
	}
	return withTau(r.Weak, r.Strong, hi), nil
}
