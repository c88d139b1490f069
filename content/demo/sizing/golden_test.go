package sizing

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

var update = flag.Bool("update", false, "write the golden reports anew")

// Reports are the same bytes natively and as WebAssembly: this test runs on both.
// The golden file of the catalog is that of a plan which is still hidden.
func TestGoldenReport(t *testing.T) {
	for name, link := range map[string]string{
		"chat":    "plan=shown",
		"kinds":   "plan=shown&thinking=300&turns=4&success=60&kwh=0.1&cache=mooncake-synthetic&cached=2&rate2=4&hit2=30&b_gpu=h200-sxm&b_drafts=4",
		"experts": "plan=shown&gpu=h200-sxm&model=deepseek-r1&tp=8&rate=4&efficiency=own&seats=256&apart=on&ttft=3",
		"none":    "plan=shown&tpot=5",
	} {
		s, problems := demo.Parse(capacityPlanner(), link)
		require.Empty(t, problems, link)
		task, err := demo.Run(s)
		require.NoError(t, err)
		got := demo.CSV(s, task)
		path := filepath.Join("testdata", "report_"+name+".csv")
		if *update {
			require.NoError(t, os.WriteFile(path, got, 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.True(t, string(want) == string(got), "%s differs: run with -update and look at the diff", path)
	}
}
