// Package prose ties sentences of the guide to checks. A sentence that states
// a number or an ordering stands in the page as
//
//	[The sentence.]{claim="id"}
//
// and here as a row with the same id: what it says, and a function that runs
// the engine and returns an error if that is no longer so. The build refuses a
// claim that has no row; the tests run every check; `openloop check` reports a
// row that no page uses.
package prose

import "slices"

// Claim is a sentence of the guide that a test checks.
type Claim struct {
	ID    string // lower case words joined by hyphens
	Says  string // what is checked, with its numbers
	Check func() error
}

// Claims are all claims, in the order of the guide.
func Claims() []Claim {
	return slices.Concat(mechanismClaims, claims, toolClaims, failingClaims, diagnosisClaims, sheetClaims)
}
