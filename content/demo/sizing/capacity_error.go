package sizing

import (
	"math"
	"strconv"
	"strings"

	"openloop/content/demo/refusal"
	"openloop/content/demo/text"
	"openloop/planner"
	"openloop/planner/profile"
)

// What makes a plan impossible, in the words of the settings, and the nearest
// value that would do.

func (r *capacityRun) blame(e *planner.ValueError) string { return blame(&r.a, e) }

func blame(a *asked, e *planner.ValueError) string {
	d := &a.deployment
	near, nearOK := number(e.Nearest)
	w, _ := refusal.Of(e.Field)
	switch e.Field {
	case "Deployment.TP":
		says := d.Model.Name + ", weights " + a.stored + ", does not fit on " + gpusOfKind(d) + ": its weights and the KV of one sequence take " + quantity(needed(e.Legal), "bytes") + ". "
		if !nearOK || near > mostTP {
			return says + "No replica of up to " + gpus(mostTP) + " holds it. " + a.nearestFit()
		}
		return says + "Nearest that fits: " + gpus(int(near)) + " of a replica" + a.butSlow(int(near)) + "."
	case "Objective.TPOTSeconds":
		return "No plan keeps a time per output token of " + text.Seconds(a.objective.TPOTSeconds) + ": one step of one sequence takes longer on " + gpusOfKind(d) + ". Nearest that can be promised: " + above(near*1000) + " ms."
	case "Objective.TTFTSeconds":
		return "No plan keeps a time to first token of " + text.Seconds(a.objective.TTFTSeconds) + ": without any wait it takes longer than that. Nearest that can be promised: " + above(near) + " s."
	case "Objective.TargetFrac":
		return "Nothing says how busy replicas may be: it is 0%, and no time to first token is promised. Nearest: busy at most " + w.Value(e.Nearest) + ", or a promise."
	case "Workload.Classes[0].HitFrac", "Workload.Classes[1].HitFrac":
		return w.Name + ": " + w.Value(e.Value) + " of the prompt leaves nothing to compute, and the first token needs one computed. Nearest: " + w.Value(e.Nearest) + "."
	case "Workload.Classes[0].RequestsPerSec":
		return "Requests: so many take more replicas than this planner counts. Nearest: " + text.Num(a.mostRequests(), 3) + " requests/s."
	case "Deployment.OverlapFrac":
		return "Two settings contradict each other: " + percent(d.OverlapFrac) + " of prefill hidden behind decode, and " + apartOrWhole(d) + ", where prefill and decode share no step. Nearest: 0%."
	case "Task.SuccessFrac":
		return "A task that never succeeds has no price: attempts that succeed, 0%. Nearest: 0.0001%."
	}
	return refusal.Say(e)
}

// mostTP is the largest replica that the demo offers.
const mostTP = 64

// above is three digits of x that are no less than it: what it suggests must do.
func above(x float64) string {
	s := strconv.FormatFloat(x, 'e', 2, 64)
	y, _ := number(s)
	if y < x {
		digit, _ := number("1e" + s[strings.Index(s, "e")+1:])
		y += digit / 100
	}
	return text.Num(y, 3)
}

// butSlow says that a replica of so many GPUs, which holds the model, keeps no promise.
func (a *asked) butSlow(tp int) string {
	d := a.deployment
	if d.TP = tp; a.plans(&d) {
		return ""
	}
	return ", too slow for what is promised"
}

// plans says whether there is a plan on other hardware, or in other numbers.
func (a *asked) plans(d *planner.Deployment) bool {
	_, err := planner.Evaluate(a.workload, *d, a.objective)
	return err == nil
}

// nearestFit is what would hold the model and keep what is promised: other weights, or
// another GPU.
func (a *asked) nearestFit() string {
	d := a.deployment
	d.TP = mostTP
	fits := func() bool {
		d.Compute = d.Weights
		if _, ok := d.GPU.PeakFLOPsPerSec(d.Compute); !ok {
			d.Compute = profile.BF16
		}
		return a.plans(&d)
	}
	for _, o := range []string{"fp8", "int4"} {
		w, _ := profile.ParseDType(o)
		if d.Storage = (profile.Storage{}); w.Bytes() < a.deployment.Weights.Bytes() {
			if d.Weights = w; fits() {
				return "Nearest that fits: weights in " + o + ", on " + gpus(mostTP) + " of a replica."
			}
		}
	}
	d.Weights, d.Storage = a.deployment.Weights, a.deployment.Storage
	var best *profile.GPU
	for _, g := range profile.GPUs() {
		if d.GPU = g; fits() && (best == nil || g.MemoryBytes < best.MemoryBytes) {
			best = g
		}
	}
	if best != nil {
		return "Nearest that fits: " + gpus(mostTP) + " of kind " + best.Name + "."
	}
	return "Nearest: a smaller model, or shorter prompts."
}

// mostRequests is a rate of the first kind of which there is a plan, and half a
// per cent more of which there is hardly one.
func (a *asked) mostRequests() float64 {
	w := a.workload
	w.Classes = append([]planner.Class(nil), w.Classes...)
	hi := w.Classes[0].RequestsPerSec
	lo := float64(hi * 1e-6)
	for range 12 {
		x := math.Sqrt(float64(lo * hi))
		w.Classes[0].RequestsPerSec = x
		if _, err := planner.Evaluate(w, a.deployment, a.objective); err == nil {
			lo = x
		} else {
			hi = x
		}
	}
	return float64(lo * 0.995) // of which three digits are not too many
}

func apartOrWhole(d *planner.Deployment) string {
	if d.Disaggregated {
		return "prefill in a pool of its own"
	}
	return "prompts computed whole"
}

func gpusOfKind(d *planner.Deployment) string {
	return text.Whole(d.TP) + " × " + d.GPU.Name
}

// number reads what the planner suggests.
func number(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}

// needed is the bytes at the end of what the planner says must fit.
func needed(legal string) float64 {
	words := strings.Fields(strings.TrimSuffix(legal, " bytes"))
	x, _ := number(words[len(words)-1])
	return x
}
