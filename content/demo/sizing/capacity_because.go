package sizing

import (
	"openloop/content/demo/text"
	"openloop/planner"
)

// Why a lever saves what it saves, in words.

// saves is what a lever saves alone.
func saves(s *planner.Saving) string {
	switch {
	case s.Needed:
		return "needed"
	case s.Harmful:
		return "impossible"
	}
	return text.Num(s.Alone, 3)
}

func (r *capacityRun) because(s *planner.Saving) string {
	return causeOf(s) + sizes(r.a.deployment.TP, s) + "."
}

func causeOf(s *planner.Saving) string {
	x := &s.Reason
	switch x.Cause {
	case planner.CauseNothing:
		return "it changes nothing here"
	case planner.CauseNotBinding:
		return "what it changes does not bind; " + boundName(x.BindsWith) + " does"
	case planner.CauseNeeded:
		return "without it no replica of up to 64 GPUs holds the model, or is fast enough"
	case planner.CauseHarmful:
		return "with it no replica of up to 64 GPUs is possible"
	}
	says := ""
	switch x.Cause {
	case planner.CausePrefill:
		says = "prefill takes " + times(x.Prefill)
	case planner.CauseWeights:
		says = "a step takes " + times(x.Weights) + " before a sequence is in it"
	case planner.CauseKVRead:
		says = "a sequence adds " + asMuch(x.KVRead) + " to a step"
	case planner.CauseBatch:
		says = "memory holds " + text.Num(x.Batch, 3) + " times as many sequences"
	case planner.CauseArithmetic:
		says = "a decoded token takes " + text.Num(x.Arithmetic, 3) + " times the arithmetic"
	case planner.CauseApart:
		says = "prefill no longer stretches the steps of decode"
	default:
		says = "several parts only count together"
	}
	if x.BindsWith != x.BindsWithout {
		says += "; then " + boundName(x.BindsWith) + " binds, no longer " + boundName(x.BindsWithout)
	}
	return says
}

func times(x float64) string { return text.Num(x, 3) + " times as long" }

func asMuch(x float64) string { return text.Num(x, 3) + " times as much" }

// sizes says that one side needs larger replicas.
func sizes(tp int, s *planner.Saving) string {
	switch {
	case s.Needed || s.Harmful:
		return ""
	case s.WithoutTP != tp:
		return "; without it, on replicas of " + gpus(s.WithoutTP)
	case s.WithTP != tp:
		return "; with it, on replicas of " + gpus(s.WithTP)
	}
	return ""
}
