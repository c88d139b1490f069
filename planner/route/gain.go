package route

// Gain is what escalating the share e (0 to 1) does to the answers, as shares of
// all requests: wrong ones that the strong model puts right, and right ones that
// it gets wrong. Everything else that is escalated is paid for nothing.
func (c Cascade) Gain(e float64) (repaired, spoiled float64) {
	q := c.screen().atShare(e)
	return float64(c.Rates.Pi * q.wanted), float64(c.Rates.Lam * q.unwanted)
}
