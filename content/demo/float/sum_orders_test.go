package float

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demotest"
)

// Every golden vector through a link, as a reader would ask for it.
func TestGoldenVectorsByLink(t *testing.T) {
	file, err := os.ReadFile("../../../numerics/testdata/golden/reductions.json")
	require.NoError(t, err)
	var golden struct {
		Vectors []struct {
			ID   string
			Kind string
			N    int
			Seed uint32
			Bits map[string]*string
			ULPs map[string]*int64 `json:"ulps_from_exact"`
		}
	}
	require.NoError(t, json.Unmarshal(file, &golden))
	require.Len(t, golden.Vectors, 29)
	d := demotest.Find(t, all, "sum-orders")
	for _, v := range golden.Vectors {
		_, task := demotest.Run(t, d, "seed="+strconv.FormatUint(uint64(v.Seed), 10)+"&kind="+v.Kind+"&n="+strconv.Itoa(v.N))
		rows := task.Records().Rows
		require.Len(t, rows, len(v.Bits), v.ID)
		for _, row := range rows {
			want, known := v.Bits[row[0].Text]
			require.True(t, known, "%s: %s", v.ID, row[0].Text)
			if want == nil {
				assert.Equal(t, []demo.Cell{demo.W("strided"), demo.W(""), demo.W(""), demo.W("")}, row, v.ID)
				continue
			}
			assert.Equal(t, "0x"+*want, row[1].Text, "%s: %s", v.ID, row[0].Text)
			if ulps := v.ULPs[row[0].Text]; ulps != nil {
				assert.Equal(t, float64(*ulps), row[3].Num, "%s: %s", v.ID, row[0].Text)
			}
		}
	}
}

func TestSumOrdersClaims(t *testing.T) {
	d := demotest.Find(t, all, "sum-orders")
	_, task := demotest.Run(t, d, "kind=wide&n=1024&seed=77")
	kahan := task.(*ordersRun).sums[10]
	assert.Equal(t, "kahan", kahan.order.String())
	assert.EqualValues(t, 5, distance(kahan.ulps))

	// Two numbers have one sum for any seed; three do not, as halving puts the
	// brackets around the last two.
	three := 0
	for seed := 1; seed <= 200; seed++ {
		_, task := demotest.Run(t, d, "kind=u01&n=2&seed="+strconv.Itoa(seed))
		require.EqualValues(t, 1, demotest.Metric(t, task, "distinct"), "seed %d", seed)
		_, task = demotest.Run(t, d, "kind=u01&n=3&seed="+strconv.Itoa(seed))
		three = max(three, int(demotest.Metric(t, task, "distinct")))
	}
	assert.Equal(t, 2, three)
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		order string
		level int
	}{{"seq", 15}, {"pairwise", 4}, {"strided", 4}, {"splitk4", 6}, {"block256", 5}} {
		root := shapeOf(c.order)
		assert.Equal(t, c.level, root.level, c.order)
		var line demo.Series
		root.walk(&line)
		assert.Len(t, line.X, 2*(2*shapeNumbers-1)-1, "%s: every edge is walked down and up", c.order)
		leaves := 0
		for _, y := range line.Y {
			if y == 0 {
				leaves++
			}
		}
		assert.Equal(t, shapeNumbers, leaves, c.order)
	}
}
