package prose

import (
	"fmt"
	"math"

	"openloop/content/tables"
	"openloop/planner"
)

// Checks of the chapter on the planner's error. What they look at is checked
// against the files and the planner by the tests of content/tables.

// publishedGroup finds a group.
func publishedGroup(name string) (tables.PublishedGroup, error) {
	for _, g := range tables.PublishedGroups() {
		if g.Name == name {
			return g, nil
		}
	}
	return tables.PublishedGroup{}, fmt.Errorf("no group of published rows is called %s", name)
}

// meanOff is the mean error, with and without sign, of the rows that are asked for.
func meanOff(group string, is func(tables.PublishedRow) bool) (signed, size float64) {
	n := 0.0
	for _, r := range predicted(group) {
		if is(r) {
			signed, size, n = signed+r.Off, size+math.Abs(r.Off), n+1
		}
	}
	return signed / n, size / n
}

func truthDense() error {
	g, err := publishedGroup("dense")
	return first(err, between("mean", g.MAPE, 0.0685, 0.0695), between("rows", float64(g.Rows), 78, 78),
		between("median", quantile("dense", 0.5), 0.0545, 0.0555), between("nine in ten", quantile("dense", 0.9), 0.13, 0.14))
}

func truthBias() error {
	g, err := publishedGroup("dense")
	above := 0.0
	for _, r := range predicted("dense") {
		if r.Off > 0 {
			above++
		}
	}
	return first(err, between("median with sign", g.Bias, -0.005, 0.005), between("share too high", above/float64(g.Rows), 0.45, 0.55))
}

func truthAllDense() error {
	sum, n := 0.0, 0.0
	for _, r := range predicted("dense", "other GPU") {
		sum, n = sum+math.Abs(r.Off), n+1
	}
	return first(between("rows", n, 81, 81), between("mean", sum/n, 0.0745, 0.0755))
}

func truthExpertsShare() error {
	e := planner.PublishedEfficiency()
	return first(between("experts' share", e.Engine.ExpertMFUFrac, 0.32, 0.35), between("expanded", e.ExpandedExpertFrac, 0.16, 0.175))
}

func truthForm() error {
	want := []struct{ lo, hi float64 }{{0.185, 0.195}, {0.145, 0.155}, {0, 0.1}, {1.425, 1.435}}
	forms := tables.PublishedForms()
	if len(forms) != len(want) {
		return fmt.Errorf("%d forms, not %d", len(forms), len(want))
	}
	for i, f := range forms {
		if err := between(f.Without, f.MAPE, want[i].lo, want[i].hi); err != nil {
			return err
		}
	}
	return nil
}

func truthLeftOut() error {
	f := planner.PublishedFit()
	worst := map[string]float64{}
	name := map[string]string{}
	for _, x := range tables.PublishedFolds() {
		if x.MAPE > worst[x.Group] {
			worst[x.Group], name[x.Group] = x.MAPE, x.Without
		}
	}
	if name["dense"] != "a100-80gb-sxm" {
		return fmt.Errorf("the worst GPU is %s", name["dense"])
	}
	return first(between("GPUs", f.DenseLeftOutFrac, 0.0715, 0.0725), between("worst GPU", worst["dense"], 0.105, 0.115),
		between("models", f.ExpertLeftOutFrac, 0.185, 0.195), between("worst model", worst["experts"], 0.235, 0.245))
}

func truthFew() error {
	g, err := publishedGroup("few requests")
	return first(err, between("rows", float64(g.Rows), 8, 8), between("mean", g.MAPE, 0.0945, 0.0955), between("worst", quantile("few requests", 1), 0.18, 0.21))
}

func truthOtherGPU() error {
	signed, _ := meanOff("other GPU", func(tables.PublishedRow) bool { return true })
	return between("mean", signed, -0.24, -0.225)
}

func truthMLPerf() error {
	g, err := publishedGroup("MLPerf")
	return first(err, between("rows", float64(g.Rows), 29, 29), between("inside", float64(g.Inside), 28, 28))
}

func truthMLPerfModels() error {
	_, llama := meanOff("MLPerf", func(r tables.PublishedRow) bool { return r.Model == "llama-2-70b" && r.GPU == "h100-sxm" })
	_, mixtral := meanOff("MLPerf", func(r tables.PublishedRow) bool { return r.Model == "mixtral-8x7b" && r.GPU == "h100-sxm" })
	return first(between("Llama-2-70B", llama, 0.095, 0.105), between("Mixtral", mixtral, 0.31, 0.325))
}

func truthPeaks() error {
	most, full := 0.0, 0.0
	for _, r := range predicted() {
		most = max(most, r.Bound)
		if r.AtOnce == 0 {
			full = max(full, r.Bound)
		}
	}
	return first(between("of the peaks", most, 0.82, 0.83), between("under full load", full, 0.63, 0.64))
}

func truthWide() error {
	over := func(gpus int) func(tables.PublishedRow) bool {
		return func(r tables.PublishedRow) bool { return r.Model == "llama-3.1-70b" && r.GPUs == gpus }
	}
	eight, _ := meanOff("dense", over(8))
	_, two := meanOff("dense", over(2))
	return first(between("8 GPUs", eight, 0.14, 0.155), between("2 GPUs", two, 0.03, 0.04))
}

func truthDecode() error {
	signed, _ := meanOff("dense", func(r tables.PublishedRow) bool { return r.Prompt == 128 && r.Output == 2048 })
	return between("128/2048", signed, 0.095, 0.105)
}

func truthPlan() error {
	return first(between("dense", quantile("dense", 0.9), 0.135, 0.145), between("experts", quantile("experts", 0.8), 0.295, 0.305))
}

func truthPCIe() error {
	off := map[string]float64{}
	for _, r := range tables.Published() {
		if r.GPU == "l40s" && r.GPUs > 1 && r.Group != "MLPerf" {
			off[r.ID] = r.Off
		}
	}
	if len(off) != 2 {
		return fmt.Errorf("%d rows of L40S over several GPUs", len(off))
	}
	return first(between("R038", off["R038"], 0.165, 0.175), between("R049", off["R049"], 0.265, 0.275))
}

func truthWorst() error {
	g, err := publishedGroup("experts")
	if err != nil {
		return err
	}
	for _, r := range predicted("experts") {
		if r.ID == "trt2-r1-h200-1024-8192" {
			if g.Worst != r.ID || r.Model != "deepseek-r1" || r.GPUs != 8 || r.GPU != "h200-sxm" || r.Output != 8192 {
				return fmt.Errorf("%s is another row, or %s is the worst", r.ID, g.Worst)
			}
			return between("off", r.Off, 0.595, 0.605)
		}
	}
	return fmt.Errorf("the row is gone")
}
