package reading

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/sim/scrape"
)

// linesOfTwo are lines of two servers of vLLM, behind what stands in front of
// those of each.
func linesOfTwo(a, b string) string {
	var out strings.Builder
	for s := 0; s < 50; s += 10 {
		for i, front := range []string{a, b} {
			fmt.Fprintf(&out, "%sINFO 11-30 03:01:%02d [loggers.py:271] Engine 000: Avg prompt throughput: 100.0 tokens/s, Avg generation throughput: 802.6 tokens/s, Running: %d reqs, Waiting: 66 reqs, GPU KV cache usage: 26.9%%, Prefix cache hit rate: 49.1%%\n", front, s, 34+100*i)
		}
	}
	return out.String()
}

// TestSeveralProcesses: a log of several processes says so in the headline, and
// by "What was read".
func TestSeveralProcesses(t *testing.T) {
	for name, c := range map[string]struct{ in, says, note string }{
		"pods":             {linesOfTwo("[pod/vllm-0/vllm] ", "[pod/vllm-1/vllm] "), "2 replicas (lines of several processes: vllm-0 and vllm-1)", "each read as a replica: vllm-0 and vllm-1"},
		"no telling apart": {linesOfTwo("", ""), "Several processes wrote these lines, for one engine says two things at one instant", "only the last of each instant is read"},
	} {
		x := pasted(t, c.in, "", "")
		stands(t, x)
		assert.Contains(t, x.Summary().String(), c.says, name)
		assert.Contains(t, strings.Join(x.textFigure().Notes, " "), c.note, name)
	}
	x := pasted(t, linesOfTwo("vllm-1  | ", "vllm-2  | "), "", "")
	assert.Contains(t, figureWords(x.replicasFigure()), "134")
	assert.Contains(t, figureWords(x.replicasFigure()), "34")
}

// TestTwoEnginesInOneText: the lines of the other engine are counted, and the
// knob reads them.
func TestTwoEnginesInOneText(t *testing.T) {
	sglang := strings.Repeat("[2026-09-13 16:06:01] Decode batch, #running-req: 7, #token: 10, token usage: 0.10, gen throughput (token/s): 5.00, #queue-req: 1\n", 16)
	vllm := strings.Split(linesOfTwo("", ""), "\n")
	one := vllm[0] + "\n" + vllm[2] + "\n" + vllm[4] + "\n"
	x := pasted(t, sglang+one, "", "")
	stands(t, x)
	assert.Contains(t, x.Summary().String(), "of SGLang")
	assert.Contains(t, x.Summary().String(), "3 lines of a log of vLLM are not in this one: choose 2 to read them.")
	assert.Contains(t, strings.Join(x.textFigure().Notes, " "), "16 lines with figures are of SGLang. 3 lines with figures are of vLLM, not read here: number 2 of the setting Which of several.")

	s, p := demo.NewState(diagnoseMine()).Set("paste", sglang+one)
	require.Nil(t, p)
	s, p = s.Set("which", "2")
	require.Nil(t, p)
	x = finished(t, s)
	stands(t, x)
	assert.Contains(t, x.Summary().String(), "A log of vLLM, 20 s")
	assert.Contains(t, x.Summary().String(), "16 lines of a log of SGLang are not in this one: choose 1 to read them.")
}

// TestSameTwice: equal scrapes have a first sentence of their own.
func TestSameTwice(t *testing.T) {
	a := scrapeOf("100.0", "1.7e+09")
	for _, boxes := range [][2]string{{a, a}, {a + a, ""}} {
		x := pasted(t, boxes[0], boxes[1], "")
		stands(t, x)
		says := x.Summary().String()
		assert.True(t, strings.HasPrefix(says, "Both texts are the same scrape: none of 4 series differs. One scrape of vLLM"), says)
		assert.NotContains(t, says, "type the seconds")
	}
	says := pasted(t, a, scrapeOf("101.0", "1.7e+09"), "").Summary().String()
	assert.NotContains(t, says, "same scrape")
}

// TestReplaced: who stops while others go on is named, and gone in the table.
func TestReplaced(t *testing.T) {
	var out strings.Builder
	line := func(pod string, s, running int) {
		fmt.Fprintf(&out, "[pod/%s/vllm] INFO 11-30 03:%02d:%02d [loggers.py:271] Engine 000: Avg prompt throughput: 100.0 tokens/s, Avg generation throughput: 802.6 tokens/s, Running: %d reqs, Waiting: 6 reqs, GPU KV cache usage: 26.9%%, Prefix cache hit rate: 49.1%%\n", pod, s/60, s%60, running)
	}
	for s := 0; s < 300; s += 10 {
		if line("vllm-0", s, 34); s <= 100 {
			line("vllm-1", s, 900)
		}
		if s >= 160 {
			line("vllm-2", s, 21)
		}
	}
	x := pasted(t, out.String(), "", "")
	stands(t, x)
	says := x.Summary().String()
	assert.Contains(t, says, "Of vllm-1 no line comes after 100 s, while others go on: it is left out from then on. Lines of vllm-2 begin at 160 s: it counts from there.")
	assert.Contains(t, figureWords(x.replicasFigure()), "vllm-1 (gone)")
	assert.Equal(t, 55.0, x.read.Now[scrape.Running].Value)
}

// TestHitsAreSaid: what each line of a log says is known, though a pod was
// replaced, and though the last line is cut; the cut is named.
func TestHitsAreSaid(t *testing.T) {
	whole := linesOfTwo("[pod/vllm-0/vllm] ", "[pod/vllm-1/vllm] ")
	for name, in := range map[string]string{"two pods": whole, "cut": whole[:len(whole)-60]} {
		x := pasted(t, in, "", "")
		stands(t, x)
		assert.Contains(t, figureWords(x.signalsFigure()), "49.1%", name)
		assert.NotContains(t, figureWords(x.missingFigure()), "Prefix hit rate", name)
		cut := strings.Contains(strings.Join(x.textFigure().Notes, " "), "the text seems to end inside it")
		assert.Equal(t, name == "cut", cut, name)
	}
}

// TestSumsOfWhoIsThere: a sum over two pods does not stand beside that of one as
// if they were of the same, and the growth is that of the pods that are in both.
func TestSumsOfWhoIsThere(t *testing.T) {
	var out strings.Builder
	line := func(pod string, s, running, waiting int) {
		fmt.Fprintf(&out, "[pod/%s/vllm] INFO 11-30 03:%02d:%02d [loggers.py:271] Engine 000: Avg prompt throughput: 100.0 tokens/s, Avg generation throughput: 802.6 tokens/s, Running: %d reqs, Waiting: %d reqs, GPU KV cache usage: %d.9%%, Prefix cache hit rate: 49.1%%\n", pod, s/60, s%60, running, waiting, 20+s/10)
	}
	for s := 0; s <= 300; s += 10 {
		if line("vllm-0", s, 31+s/10, 5+s/10); s <= 100 {
			line("vllm-1", s, 30, 60)
		}
	}
	x := pasted(t, out.String(), "", "")
	stands(t, x)
	signals := figureWords(x.signalsFigure())
	assert.Contains(t, signals, "61 requests (2 replicas) | 61 requests (1 replica)")
	assert.Contains(t, signals, "65 requests (2 replicas) | 35 requests (1 replica)")
	assert.InDelta(t, 0.1, x.read.Now[scrape.QueueGrowth].Value, 1e-12, "one more in 10 s")
	assert.Contains(t, strings.Join(x.verdictFigure().Notes, " "), "the sum makes a step")

	x = pasted(t, linesOfTwo("[pod/vllm-0/vllm] ", "[pod/vllm-1/vllm] "), "", "")
	assert.NotContains(t, figureWords(x.signalsFigure(), x.verdictFigure()), "replicas) |")
}
