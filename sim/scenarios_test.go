package sim

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A scenario is a small run traced by hand, as the table of its steps. Each
// shows a rule of the scheduler. Requests are A, B, C in order of arrival;
// every step lasts 1 s; a block has 4 tokens.
//
// A step reads "2: A1@6 B4@0 | used 3, waiting 1, preempted C": at 2 s a step
// starts in which A gets 1 token on top of 6 computed and B 4 on top of none;
// 3 blocks are held and 1 request waits once it is scheduled; C was put back.
// An end reads "A 1 2": first token at 1 s, left at 2 s.
type scenario struct {
	name  string
	rule  string
	with  func(c *Config) // changes to sceneConfig
	specs []Spec
	steps []string
	ends  []string
	sums  func(t *testing.T, r *Results) // more to be checked
}

const sec = Second

// sceneConfig is a synchronous engine with room for everything.
func sceneConfig() Config {
	return Config{
		Replicas:   1,
		TraceSteps: 1000,
		Engine: Engine{
			MaxNumSeqs: 4, MaxBatchedTokens: 16, PrefillChunkTokens: 1 << 20,
			BlockTokens: 4, KVBlocks: 100,
			Cost: LinearCost{Base: 1e12},
		},
	}
}

// arrive is a request of an open loop.
func arrive(at Nanos, prompt, output int32) Spec {
	return Spec{IntendedAt: at, SentAt: at, Prompt: prompt, Output: output, Session: -1, Client: -1}
}

func (s Spec) priority(p int32) Spec { s.Priority = p; return s }

func (s Spec) says(output uint64) Spec { s.OutputID = output; return s }

func (s Spec) shares(prefix ...Segment) Spec { s.Prefix = prefix; return s }

func TestScenarios(t *testing.T) {
	for _, s := range slicesConcat(noteScenarios, asyncScenarios, limitScenarios, endScenarios, draftScenarios, clusterScenarios, cacheScenarios, recordScenarios, rareScenarios) {
		for _, j := range judged {
			t.Run(s.name+"/"+j.name, func(t *testing.T) {
				c := sceneConfig()
				if s.with != nil {
					s.with(&c)
				}
				r := openLoop(j.from)(c, s.specs, 1)
				assert.Equal(t, s.steps, stepLines(r), "rule %s", s.rule)
				assert.Equal(t, s.ends, endLines(r), "rule %s", s.rule)
				if s.sums != nil {
					s.sums(t, r)
				}
			})
		}
	}
}

func slicesConcat(tables ...[]scenario) []scenario {
	var all []scenario
	for _, table := range tables {
		all = append(all, table...)
	}
	return all
}

func stepLines(r *Results) []string {
	var lines []string
	for _, s := range r.Steps {
		var b strings.Builder
		b.WriteString(seconds(s.Start) + ":")
		for _, p := range s.Pieces {
			b.WriteString(" " + letters(p.Request) + strconv.Itoa(int(p.Tokens)) + "@" + strconv.Itoa(int(p.From)))
		}
		b.WriteString(" | used " + strconv.Itoa(int(s.Used)))
		if s.Waiting > 0 {
			b.WriteString(", waiting " + strconv.Itoa(int(s.Waiting)))
		}
		if len(s.Preempt) > 0 {
			b.WriteString(", preempted " + letters(s.Preempt...))
		}
		if s.Replica > 0 {
			b.WriteString(", replica " + strconv.Itoa(int(s.Replica)))
		}
		lines = append(lines, b.String())
	}
	return lines
}

func endLines(r *Results) []string {
	words := map[Status]string{Waiting: " waiting", Running: " running", Failed: " failed", TimedOut: " timed out", Dropped: " dropped"}
	var lines []string
	for i, status := range r.Status {
		line := letters(int32(i)) + " " + seconds(r.FirstTokenAt[i]) + " " + seconds(r.DoneAt[i]) + words[status]
		lines = append(lines, line)
	}
	return lines
}

func letters(requests ...int32) string {
	var b strings.Builder
	for _, r := range requests {
		b.WriteByte('A' + byte(r))
	}
	return b.String()
}

func seconds(n Nanos) string {
	if n == Never {
		return "-"
	}
	return strconv.FormatFloat(n.Seconds(), 'g', -1, 64)
}

// shared names the shared texts of the scenarios.
func shared(id uint64, tokens int32) Segment { return Segment{ID: id, Tokens: tokens} }
