// Package route is the arithmetic of sending each request where it is answered
// well for little money: a router in front of two models, a cascade that asks
// the weak one first, a semantic cache before both and a batch tier below all.
//
//	Labels -> Rates, with Prices: Pair -> Router or Cascade -> Stack{Cache, ..., Batch}
//	each gives a Point (share, accuracy, cost) or a curve of them; Hull compares
//
// Start reading at labels.go (how two models overlap), then screen.go: router,
// cascade and cache are one and the same thing there, a score with a threshold
// that lets through wanted and unwanted requests. router.go, cascade.go and
// cache.go say what is wanted, what it brings and what it costs. ttl.go and
// classes.go let cached answers grow old. hull.go holds the frontier in money:
// best mixes, regret, dominated stretches. difficulty.go is a second model, in
// which a request has a difficulty, and fit.go puts it where the labels are.
// sample.go draws requests and so checks the closed forms.
//
// Scores are binormal: two normal distributions of equal spread, a distance d
// apart, with AUC = Phi(d/sqrt 2), the equal-variance signal detection model
// (Green and Swets, Signal Detection Theory and Psychophysics, 1966). A score
// may be known only up to a monotone scale; what counts is its AUC.
//
// Check a value once, where it comes from a reader; the methods of a checked
// value never give NaN, but a threshold may be infinite. Evaluating a point or
// a curve allocates nothing. Nothing here knows latency, and a request is
// right or wrong, never half right.
package route
