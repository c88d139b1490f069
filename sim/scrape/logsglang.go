package scrape

import "strings"

// Lines of SGLang. Source: python/sglang/srt/observability/
// scheduler_metrics_mixin.py (44cedc2b) and its forerunner in
// managers/scheduler.py; scheduler.py for the retraction.

// readDecode reads "Decode batch": one line every decode_log_interval steps,
// not every second.
func readDecode(e *event, head, body string) {
	e.ranks(head)
	e.put(fRunning, body, "#running-req: ")
	e.put(fTokens, body, "#token: ")
	e.pools(body)
	e.put(fAcceptLength, body, "accept len: ")
	e.put(fGenRate, body, "gen throughput (token/s): ")
	e.put(fWaiting, body, "#queue-req: ")
}

// readPrefill reads "Prefill batch". Its hit rate, printed until early 2025, is
// of one batch; cached and new tokens give that of the window.
func readPrefill(e *event, head, body string) {
	e.ranks(head)
	e.put(fNewTokens, body, "#new-token: ")
	e.put(fCachedTokens, body, "#cached-token: ")
	e.pools(body)
	e.put(fRunning, body, "#running-req: ")
	e.put(fWaiting, body, "#queue-req: ")
}

// readRetract reads how many requests lost their KV, and the share of the
// allowed output that the scheduler reserves, before and after.
func readRetract(e *event, head, body string) {
	e.ranks(head)
	e.put(fRetracted, body, "#retracted_reqs: ")
	e.put(fGained, body, "#new_tokens_gained: ")
	e.put(fRatioFrom, body, "#new_token_ratio: ")
	e.put(fRatioTo, body, "-> ")
}

// readStart reads the line of the server's start.
func readStart(e *event, head, body string) {
	e.ranks(head)
	e.put(fPoolTokens, body, "max_total_num_tokens=")
}

// ranks reads " DP3 TP3" in the brackets of the prefix.
func (e *event) ranks(head string) {
	for _, word := range strings.Fields(strings.TrimRight(strings.TrimSpace(head), "]")) {
		if n, ok := rankWord(word, "TP"); ok {
			e.tp = n
		} else if _, ok := rankWord(word, "DP"); ok {
			e.rank = word
		}
	}
}

func rankWord(word, prefix string) (int, bool) {
	rest, ok := strings.CutPrefix(word, prefix)
	if !ok || rest == "" || len(rest) > 4 {
		return 0, false
	}
	return digits(rest, 0, len(rest))
}

// pools takes the fullest of the pools that a line names; a hybrid model has
// several (full, swa, mamba).
func (e *event) pools(body string) {
	for _, label := range [...]string{"token usage: ", "full token usage: ", "swa token usage: ", "mamba usage: "} {
		rest, ok := after(body, label)
		if !ok {
			continue
		}
		if v := number(rest); v >= 0 && !(e.v[fKV] >= v) {
			e.v[fKV] = v
		}
	}
}
