package planner

// Assumption is a sentence to print beside every answer.
type Assumption struct{ ID, Text string }

var assumptions = [...]Assumption{
	{"lengths", "Lengths are means of their class: good for money; real lengths are skewed, and the longest decide about memory."},
	{"batching", "Batches are as full as memory and limits allow, with no queue inside the engine."},
	{"efficiency", "A step reaches fixed shares of the peaks, or those of the model that was measured."},
	{"context", "A sequence reads the KV of its mean length. Memory holds it at that length too, as an engine under full load does, unless full length is asked for."},
	{"split", "Weights and KV are split evenly over the GPUs of a replica."},
	{"prefix", "A shared prefix is stored once for each sequence that has it: too much, so the plan errs low on batch."},
	{"experts", "Experts are drawn evenly; real routing is skewed, and the busiest expert is waited for."},
	{"peaks", "All classes peak together, and the fleet is paid for at its peak size."},
	{"servers", "A replica is one server of the queue: the wait for it is then overstated, as it serves many requests at once."},
	{"failures", "Nothing fails or is preempted, and no time passes on the host unless it was given."},
	{"prices", "Prices are examples that you can replace."},
}

// Assumptions lists what every plan takes for granted.
func Assumptions() []Assumption { return append([]Assumption(nil), assumptions[:]...) }
