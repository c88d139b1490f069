package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/data"
	"openloop/content/demo/catalog"
	"openloop/site/internal/page"
)

var update = flag.Bool("update", false, "add the addresses of new pages to the list of those that live for ever")

const addressList = "testdata/addresses.txt"

// TestAddressesLive: what was once a page of the site, or a section of one, still
// leads somewhere. What moves or is renamed leaves its old address in
// content/moved.txt.
func TestAddressesLive(t *testing.T) {
	now, err := page.Addresses(os.DirFS("../content"), data.Pages())
	require.NoError(t, err)
	for _, d := range catalog.All() {
		now = append(now, "embed/"+d.ID+".html")
	}
	slices.Sort(now)
	raw, err := os.ReadFile(addressList)
	require.True(t, err == nil || *update, err)
	ever := strings.Fields(string(raw))
	for _, old := range ever {
		assert.Contains(t, now, old, "this address was published; lead it on in content/moved.txt")
	}
	if *update {
		all := append(ever, now...)
		slices.Sort(all)
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(addressList, []byte(strings.Join(slices.Compact(all), "\n")+"\n"), 0o644))
		return
	}
	for _, new := range now {
		assert.Contains(t, ever, new, "a new page or section: go test ./site -run TestAddressesLive -update")
	}
}
