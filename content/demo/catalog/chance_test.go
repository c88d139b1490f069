package catalog

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
	"openloop/content/demotest"
)

// TestNoChance: a demo says that nothing in it is random if, and only if, no
// state that its page offers depends on the seed.
func TestNoChance(t *testing.T) {
	for _, d := range All() {
		t.Run(d.ID, func(t *testing.T) {
			depends := false
			for _, link := range states(d) {
				depends = depends || seedMatters(t, d, link)
				if depends {
					break
				}
			}
			assert.Equal(t, d.NoChance, !depends)
		})
	}
}

func seedMatters(t *testing.T, d *demo.Demo, link string) bool {
	t.Helper()
	if link == "" {
		_, one := keep(t, d, "")
		_, two := keep(t, d, farSeed)
		return differ(one, two)
	}
	_, one := demotest.Run(t, d, link)
	_, two := demotest.Run(t, d, link+"&"+farSeed)
	return differ(one, two)
}

// differ compares files in all digits; what is not a number equals itself.
func differ(one, two demo.Task) bool { return fmt.Sprint(one.Records()) != fmt.Sprint(two.Records()) }
