package sizing

import (
	"strconv"
	"strings"

	"openloop/content/demo/text"
	"openloop/planner"
)

// What makes a plan impossible, in the words of the settings, and the nearest
// value that would do.

func (r *capacityRun) blame(e *planner.ValueError) string { return blame(&r.a, e) }

func blame(a *asked, e *planner.ValueError) string {
	d := &a.deployment
	near, nearOK := number(e.Nearest)
	switch strings.TrimPrefix(e.Field, "Workload.Classes[0].") {
	case "Deployment.TP":
		says := d.Model.Name + " does not fit on " + gpusOfKind(d) + ": its weights and the KV of one sequence take " + quantity(needed(e.Legal), "bytes") + ". "
		if !nearOK || near > 64 {
			return says + "No replica of up to 64 holds it: take narrower weights, a narrower KV cache, a larger GPU or shorter prompts."
		}
		return says + "Nearest that fits: " + gpus(int(near)) + " of a replica."
	case "Objective.TPOTSeconds":
		return "No plan keeps " + text.Seconds(a.objective.TPOTSeconds) + " per output token: one step of one sequence takes longer on " + gpusOfKind(d) + ". Nearest that can be promised: " + text.Seconds(near) + "."
	case "Objective.TTFTSeconds":
		return "No plan keeps " + text.Seconds(a.objective.TTFTSeconds) + " to the first token: without any wait it takes longer than that. Nearest that can be promised: " + text.Seconds(near) + "."
	case "Objective.TargetFrac":
		return "Nothing says how busy replicas may be: it is 0%, and no time to first token is promised. Nearest: busy at most 70%, or a promise."
	case "HitFrac":
		return "Found in the prefix cache: " + percent(a.workload.Classes[0].HitFrac) + " of the prompt leaves nothing to compute, and the first token needs one computed. Nearest: " + text.Num(100*near, 5) + "%."
	case "RequestsPerSec":
		return "So many requests take more replicas than this planner counts. Possible: " + e.Legal + "."
	case "Deployment.OverlapFrac":
		return "Two settings contradict each other: " + percent(d.OverlapFrac) + " of prefill hidden behind decode, and " + apartOrWhole(d) + ", where prefill and decode share no step. Nearest: 0%."
	case "Task.SuccessFrac":
		return "A task that never succeeds has no price: attempts that succeed, 0%. Nearest: 0.0001%."
	}
	field := strings.TrimPrefix(e.Field, "Deployment.")
	says := field + " is " + e.Value + "; possible: " + e.Legal + "."
	if e.Nearest != "" {
		says += " Nearest: " + e.Nearest + "."
	}
	return says
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
