package verdict

import (
	"openloop/content/demo/text"
	"openloop/sim"
	"openloop/sim/diagnose"
)

// word is how a sign is written.
type word struct {
	name   string
	unit   string // "%" for a share, which is written as one
	digits int
	is     string // what it is, of one that is worked out and drawn nowhere
}

var signs = [diagnose.NumSigns]word{
	sim.QueueDepth:     {"queue depth", "requests", 3, ""},
	sim.TTFTp99:        {"TTFT p99", "s", 3, ""},
	sim.ITLp99:         {"ITL p99", "s", 3, ""},
	sim.RunningBatch:   {"running batch", "requests", 3, ""},
	sim.KVOccupancy:    {"KV occupancy", "%", 3, ""},
	sim.PreemptionRate: {"preemptions", "1/s", 3, ""},
	sim.PrefixHit:      {"prefix hit rate", "%", 3, ""},
	sim.AcceptedLength: {"accepted length", "tokens", 3, ""},

	diagnose.FirstAttempts: {"arrivals without retries", "1/s", 3, ""},
	diagnose.RetryShare:    {"share of retries", "%", 3, "retries over arrivals"},
	diagnose.Backlog:       {"completed / offered", "%", 3, ""},
	diagnose.MeanGap:       {"mean gap between tokens", "s", 3, "running requests over the tokens a second that they get"},
	diagnose.KVPerRequest:  {"KV for each request", "%", 3, "the share of a replica's blocks that is held, over its running requests"},
	diagnose.ITLApart:      {"slowest replica's ITL p99 against the others", "times", 3, "the longest ITL p99 of a replica over the median of the others'"},
	diagnose.ShareApart:    {"busiest replica's arrivals against the others", "times", 3, "the most arrivals a second of a replica over the median of the others'"},
	diagnose.ReplicasDown:  {"replicas that are not there", "", 3, ""},
	diagnose.PerPrompt:     {"tokens generated for a prompt token", "", 3, "tokens generated a second over prompt tokens a second"},
	diagnose.ITLLeast:      {"fastest replica's ITL p99", "s", 3, ""},
	diagnose.DecodeWaiting: {"requests that wait to be decoded", "", 3, ""},
	diagnose.DecodeKV:      {"KV occupancy where only decoding is", "%", 3, ""},

	diagnose.KVFull:        {name: "KV cache is full"},
	diagnose.Preempting:    {name: "preemptions go on and on"},
	diagnose.QueueLong:     {name: "more wait than run"},
	diagnose.DraftWasted:   {name: "drafts are refused"},
	diagnose.DecodeStarved: {name: "answers hardly get on while prompts are computed"},
	diagnose.Restarted:     {name: "a process began again"},
	diagnose.Stalled:       {name: "replicas with work generate next to nothing"},
	diagnose.WornOff:       {name: "gaps were longest at the start and wore off"},
	diagnose.GapsFirst:     {name: "gaps grew no later than anything else"},
	diagnose.GapsAlike:     {name: "all gaps grew alike"},
	diagnose.HoldsMore:     {name: "requests hold more of the cache each"},
	diagnose.SlowFavored:   {name: "the slow replica is the one that more comes to"},
	diagnose.SlowSpared:    {name: "the slow replica is not the one that more comes to"},
	diagnose.DecodeRoom:    {name: "requests wait where only decoding is, and its cache has room"},
	diagnose.GapsLead:      {name: "the longest gaps grew as much as the batch, or more"},
	diagnose.GapsAlone:     {name: "the longest gaps grew much more than the batch"},
	diagnose.AllSlow:       {name: "the fastest replica's gaps grew too"},
	diagnose.GapsAreWaits:  {name: "long gaps are waits for a seat where decoding is"},
	diagnose.GapsStay:      {name: "gaps stay long"},
	diagnose.LeaksAway:     {name: "what a request holds grew bit by bit"},
	diagnose.HitAlone:      {name: "less is found in the prefix cache, and nobody is thrown back"},
	diagnose.LossFirst:     {name: "the prefix cache lost first, and that explains what requests hold more"},
	diagnose.Hurts:         {name: "clients feel it"},
	diagnose.RampUp:        {name: "arrivals rose bit by bit"},
	diagnose.Rolling:       {name: "replicas went down one after the other"},
	diagnose.FallsBehind:   {name: "clearly fewer leave than come"},
	diagnose.SlowReplica:   {name: "one replica is slow, and no more comes to it"},
	diagnose.FavoredOne:    {name: "much more comes to one replica"},
	diagnose.PoolsApart:    {name: "prefill and decode are apart"},
}

var strip = [sim.NumStrip]word{
	sim.GPUUtilization:   {"GPU utilization", "%", 3, ""},
	sim.KVMean:           {"mean KV occupancy", "%", 3, ""},
	sim.OfferedRate:      {"offered", "1/s", 3, ""},
	sim.CompletedRate:    {"completed", "1/s", 3, ""},
	sim.GoodputRate:      {"goodput", "1/s", 3, ""},
	sim.ShedRate:         {"shed", "1/s", 3, ""},
	sim.RetryRate:        {"retries", "1/s", 3, ""},
	sim.ReplicasUp:       {"replicas up", "", 3, ""},
	sim.Imbalance:        {"imbalance", "times the mean", 3, ""},
	sim.PromptTokensMean: {"mean prompt", "tokens", 3, ""},
	sim.OutputTokensMean: {"mean answer", "tokens", 3, ""},
	sim.GenerationRate:   {"tokens generated", "1/s", 3, ""},
	sim.PromptRate:       {"prompt tokens", "1/s", 3, ""},
}

func wordOf(s diagnose.Sign) word {
	if id, ok := s.Strip(); ok {
		return strip[id]
	}
	return signs[s]
}

// Sign is the name of a sign.
func Sign(s diagnose.Sign) string { return wordOf(s).name }

// Value is a value of a sign with its unit.
func Value(s diagnose.Sign, x float64) string {
	w := wordOf(s)
	switch w.unit {
	case "%":
		return text.Percent(x, w.digits)
	case "s":
		return text.Seconds(x)
	}
	return text.WithUnit(text.Num(x, w.digits), w.unit)
}

// Name is what a verdict is called.
func Name(verdict string) string {
	for _, l := range sim.Levers() {
		if l.ID == verdict {
			return l.Name
		}
	}
	switch verdict {
	case diagnose.SeatLimit:
		return "seat limit"
	case diagnose.Undetermined:
		return "cannot be told"
	}
	return verdict
}
