package sim

import (
	"hash/fnv"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestReportSameBits compares with a constant that amd64 and js/wasm both gave:
// reports, series and formulas are the same to the last bit everywhere. A
// change here changes numbers that readers have linked to.
func TestReportSameBits(t *testing.T) {
	r := mixed(1)
	for at := r.EndAt / 9; at <= r.EndAt; at += r.EndAt / 9 {
		r.Samples = append(r.Samples, Sample{At: at, Waiting: 3, Running: 7, UsedBlocks: 11, Busy: 0.3, LookedUp: 7, Hit: 3, DraftSteps: 7, Accepted: 9, ITLp99: at})
	}
	h := fnv.New64a()
	for _, v := range []any{
		NewReport(r, ReportOptions{}), NewReport(r, ReportOptions{From: r.EndAt / 3, Rule: Linear, Clock: FromIntended}),
		*NewSeries(r, SeriesOptions{KVBlocks: 13}),
		MMK(7, 3.3, 1.7), MG1(0.3, 1.9, 2.2), MVA(17, 0.3, 0.7), MachineRepair(40, 3, 1.1, 0.7), MMK(3, 2, 1).WaitQuantile(0.97),
		TQuantile(0.975, 1), TQuantile(0.9, 17), TQuantile(0.99, 4321), OverSeeds([]float64{0.1, 0.7, 0.35}, 0.9),
	} {
		bitsOf(reflect.ValueOf(v), func(x uint64) {
			for ; x != 0; x >>= 8 {
				h.Write([]byte{byte(x)})
			}
			h.Write([]byte{0})
		})
	}
	assert.Equal(t, uint64(0x63ae6fef930cccbd), h.Sum64())
}

// bitsOf gives every number in v, NaNs all alike.
func bitsOf(v reflect.Value, put func(uint64)) {
	switch v.Kind() {
	case reflect.Float64:
		if math.IsNaN(v.Float()) {
			put(1)
			return
		}
		put(math.Float64bits(v.Float()))
	case reflect.Bool:
		if v.Bool() {
			put(2)
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		put(uint64(v.Int()))
	case reflect.Uint8:
		put(v.Uint())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			bitsOf(v.Index(i), put)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			bitsOf(v.Field(i), put)
		}
	default:
		panic(v.Kind().String())
	}
}
