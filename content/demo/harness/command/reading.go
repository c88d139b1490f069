package command

// Loop is who decides when the next request leaves.
type Loop uint8

// The loops.
const (
	Unknown   Loop = iota // the command does not say
	Open                  // a schedule, whatever the server does
	Closed                // clients that wait for their answers
	Throttled             // a schedule until a cap is reached, clients from then on
	Burst                 // all requests at once, at the start
	Batches               // some requests at once, the next when all of them are answered
	Ramp                  // a schedule whose rate climbs
	Replay                // the times of a recorded trace
)

// Run is one run of the tool; a command that sweeps makes several.
type Run struct {
	Loop    Loop
	Rate    float64 // requests/s, of a schedule; at the start of a Ramp; 0 if it is not known
	RateEnd float64 // at the end of a Ramp; 0 if the two rates are not known
	Shape   float64 // of the gamma gaps of a schedule: 1 is Poisson, 0 even gaps
	Clients int     // clients, cap, or requests of a batch; 0 if the loop has none, or else if it is not known
	Name    string  // which of several runs it is; "" for the only one
}

// Kind is how lengths are drawn.
type Kind uint8

// The kinds of lengths.
const (
	NotSaid Kind = iota // they are in a data set, or up to the model
	Fixed               // Mean tokens each
	Uniform             // whole numbers from Lo to Hi
	Normal              // around Mean with SD, 1 or more
)

// Tokens are the lengths of prompts or answers.
type Tokens struct {
	Kind     Kind
	Mean, SD float64
	Lo, Hi   int
}

// Clock is where a tool's latencies begin.
type Clock uint8

// The clocks.
const (
	FromSend     Clock = iota // the send
	AfterCap                  // the send, once the cap has let the request through
	FromSchedule              // the instant that the schedule meant
	NoLatency                 // no latency of a request is measured
)

// Default is a setting that nobody typed and that decides what is measured.
type Default struct {
	Flag  string
	Value string
	Says  string // what follows from it; "" if the value says it
}

// Trouble is what is wrong with a command.
type Trouble uint8

// The kinds of trouble.
const (
	UnknownFlag   Trouble = iota // no flag of this tool that is known here
	BadValue                     // a value that the tool would refuse
	Variable                     // a value that only the shell knows
	Contradiction                // flags that do not go together
	NoEffect                     // a flag that changes nothing here
	Quoting                      // a quote that is not closed
)

// Problem is one thing that is wrong.
type Problem struct {
	Trouble Trouble
	Flag    string // as typed, or ""
	Value   string
	Says    string // what follows, or what is missing; "" if the trouble says it
}

// Reading is what a command says.
type Reading struct {
	Tool    string // "vllm bench serve"; "" if no tool is named that is known here
	Why     string // why nothing was read; "" if something was
	Others  int    // further commands of the text, which are not read
	Process bool   // the engine runs inside the tool: no server, no network, no queue of a frontend

	Runs     []Run
	More     int     // runs beyond those in Runs; -1 if there are some and it is not known how many
	Requests int     // of each run, in units of requests; 0 if it is not said
	Seconds  float64 // of each run; 0 if it is not said
	Prompt   Tokens
	Output   Tokens
	Dataset  string // its name or path as typed; "" if prompts are made up
	WarmUp   string // what is sent before the run, "" for nothing

	Clock    Clock
	Reports  []string // latencies and rates in the output
	Silent   []string // what the output does not hold, with these flags
	Limits   []string // of a goodput, as typed
	Defaults []Default
	Problems []Problem
	Unread   []string // flags that decide the load and whose value cannot be read; what they set is 0 above
	For      string   // what the tool is for
}

// Read reads the first command of a text that names a tool, or a user.conf of
// MLPerf's LoadGen. It never fails: Why says what it could not make out.
func Read(s string) Reading {
	if r, ok := readUserConf(s); ok {
		return r
	}
	commands, open := split(s)
	var found *Reading
	for _, words := range commands {
		t, said, rest, ok := find(words)
		switch {
		case !ok:
		case found != nil:
			found.Others++
		default:
			r := t.reading(said, rest)
			found = &r
		}
	}
	switch {
	case found != nil:
	case len(commands) == 0:
		found = &Reading{Why: "There is no command in it."}
	default:
		found = &Reading{Why: "It names no load generator that is known here. Known are " + known() + "."}
	}
	if open {
		found.Problems = append(found.Problems, Problem{Trouble: Quoting, Says: "the rest of the text is one word"})
	}
	return *found
}
