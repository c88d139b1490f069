package scrape

import "strings"

// Lines of vLLM. Sources: vllm/v1/metrics/loggers.py (a6f0308c, 005a810b,
// 3168f587), vllm/v1/spec_decode/metrics.py (016a8587), and for V0
// vllm/engine/metrics.py (00c33e81) and vllm/core/scheduler.py.

// readStats reads the periodic line, V1 ("Engine 000: Avg prompt throughput:")
// and V0 (Swapped, Pending). The hit rate is of the last 1,000 requests. Since
// the end of 2025 the line counts preemptions of its interval, where there were
// any (pull request 28522; 38452 on versions that lose the count).
func readStats(e *event, head, body string) {
	e.rank, e.v[fEngines] = engineOf(head)
	if cut := strings.Index(body, "External prefix cache hit rate"); cut >= 0 {
		body = body[:cut]
	}
	e.put(fPromptRate, body, "Avg prompt throughput: ")
	e.put(fGenRate, body, "Avg generation throughput: ")
	e.put(fRunning, body, "Running: ")
	e.put(fSwapped, body, "Swapped: ")
	e.put(fWaiting, body, "Waiting: ")
	e.put(fWaiting, body, "Pending: ")
	e.put(fPreempted, body, "Preemptions: ")
	e.percent(fKV, body, "GPU KV cache usage: ")
	e.percent(fHit, body, "Prefix cache hit rate: ")
}

// engineOf reads "Engine 000: " or "2 Engines Aggregated: " from what stands
// before the figures.
func engineOf(head string) (rank string, engines float64) {
	engines = number("")
	if at := strings.LastIndex(head, "Engine "); at >= 0 {
		name, _, ok := strings.Cut(head[at+len("Engine "):], ":")
		if ok && name != "" && len(name) <= 6 {
			if name = strings.TrimLeft(name, "0"); name == "" {
				name = "0"
			}
			return "engine " + name, engines
		}
	}
	if at := strings.Index(head, " Engines Aggregated"); at >= 0 {
		word := head[strings.LastIndexByte(head[:at], ' ')+1 : at]
		engines = number(strings.TrimLeft(word, "0"))
	}
	return "", engines
}

// readDrafts reads the SpecDecoding line in its three forms. The number of
// positions is the number of drafts a step.
func readDrafts(e *event, _, body string) {
	e.put(fAcceptLength, body, "Mean acceptance length: ")
	e.put(fAccepted, body, "Accepted: ")
	e.put(fDrafted, body, "Drafted: ")
	list, ok := after(body, "Per-position acceptance rate: ")
	if !ok {
		return
	}
	k := 0
	for rest := list; ; {
		var word string
		word, rest, ok = strings.Cut(rest, ",")
		if v := number(strings.TrimSpace(word)); v != v {
			break
		}
		if k++; !ok {
			break
		}
	}
	if k > 0 {
		e.v[fK] = float64(k)
	}
}

// readDraftsV0 reads the speculative line of V0, whose counts are since the
// start; a form of 2024 prints "draft tokens tokens".
func readDraftsV0(e *event, _, body string) {
	e.put(fK, body, "Number of speculative tokens: ")
	e.put(fAccepted, body, "Number of accepted tokens: ")
	e.put(fDrafted, body, "Number of draft tokens: ")
	e.put(fDrafted, body, "Number of draft tokens tokens: ")
	e.put(fEmitted, body, "Number of emitted tokens: ")
	e.put(fEmitted, body, "Number of emitted tokens tokens: ")
}

// readPreempted reads V0's warning, of which one in many is printed: it is the
// total that counts.
func readPreempted(e *event, _, body string) {
	e.put(fPreemptTotal, body, "total_num_cumulative_preemption=")
	e.put(fPreemptTotal, body, "total_cumulative_preemption_cnt=")
}

// readPool reads what is logged at the start: the pool in tokens.
func readPool(e *event, _, body string) { e.put(fPoolTokens, body, "GPU KV cache size: ") }

func readBlocks(e *event, _, body string) { e.put(fPoolBlocks, body, gpuBlocks) }
