package planner_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"openloop/planner"
	"openloop/planner/profile"
)

// FuzzEvaluate: whatever the numbers, there is a plan of finite numbers or an
// error that names an input. It never panics and never returns NaN.
func FuzzEvaluate(f *testing.F) {
	f.Add(20.0, 1.0, 2000.0, 300.0, 0.0, 1.0, 0.05, 0.7, 0.0, 0.5, 0.8, 0.9, uint32(0), uint8(4))
	f.Add(4.0, 4.0, 500.0, 4000.0, 0.5, 10.0, 0.0, 0.0, 0.5, 0.5, 0.8, 0.9, uint32(0xffff), uint8(8))
	f.Add(1e-9, 1.0, 1.0, 1.0, 0.0, 0.0, 1e9, 1.0, 1e9, 1.0, 1.0, 1.0, uint32(3), uint8(64))
	f.Add(1e7, 1e4, 1e8, 1e8, 0.99, 1e6, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9, uint32(77), uint8(200))
	models, gpus := profile.Models(), profile.GPUs()
	tables := planner.AcceptanceTables()
	f.Fuzz(func(t *testing.T, rate, peak, prompt, output, hit, cv2, tpot, target, ttft, mfu, mbu, mem float64, choice uint32, tp uint8) {
		pick := func(n uint32) uint32 { v := choice % n; choice /= n; return v }
		d := planner.Deployment{
			TP: int(tp), MFU: mfu, MBU: mbu, MemoryFrac: mem, USDPerGPUHour: 2,
			Model: models[pick(uint32(len(models)))], GPU: gpus[pick(uint32(len(gpus)))],
			Weights: profile.DType(pick(5)), KV: profile.DType(pick(3)),
			Disaggregated: pick(2) == 1, ChunkTokens: 512 * int(pick(2)),
			Attention: planner.AttentionChoice(pick(4)), Experts: planner.ExpertChoice(pick(3)),
		}
		if d.Weights == profile.FP8 && d.GPU.FP8FLOPsPerSec > 0 {
			d.Compute = profile.FP8
		}
		if pick(2) == 1 {
			d.Spec = planner.Speculation{Drafts: 3, Table: &tables[0], DraftCost: 0.1}
		}
		d.ExpertsAtBatch = pick(2) == 1
		if pick(2) == 1 {
			d.Engine = engineTerms
		}
		if pick(2) == 1 {
			d.Reference, _ = planner.ReferenceOf(d.GPU, d.Model, d.Weights, d.TP, "vLLM")
		}
		w := one(planner.Class{RequestsPerSec: rate, PeakToMean: peak, PromptTokens: prompt, OutputTokens: output, HitFrac: hit, ArrivalCV2: cv2})
		o := planner.Objective{TPOTSeconds: tpot, TTFTSeconds: ttft, TargetFrac: target}
		p, err := planner.Evaluate(w, d, o)
		if err != nil {
			var e *planner.ValueError
			if !errors.As(err, &e) || e.Field == "" || e.Legal == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		finite(t, "plan", reflect.ValueOf(p))
		for _, l := range p.Links() {
			if math.IsNaN(l.Value) || math.IsInf(l.Value, 0) {
				t.Fatalf("%s = %v", l.Symbol, l.Value)
			}
		}
		a, err := planner.Ablate(w, d, o, planner.DefaultTargets(d))
		if err != nil {
			t.Fatalf("a plan, but no ablation: %v", err)
		}
		for _, s := range a.Savings {
			finite(t, "saving", reflect.ValueOf(s))
		}
		for _, v := range []float64{a.None, a.All, a.AloneSum, a.Interaction} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatal("interaction is not finite")
			}
		}
		if p.GPUs < d.TP || !(p.GPUsFractional > 0) || p.TPOTSeconds <= 0 || p.Batch <= 0 || p.ReplicaSeconds <= 0 {
			t.Fatalf("not a fleet: %+v", p)
		}
	})
}

// finite looks at every number that others may read.
func finite(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%s is %v", path, x)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				finite(t, path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	}
}
