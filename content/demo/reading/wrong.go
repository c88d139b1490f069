package reading

import (
	"errors"
	"strings"

	"openloop/content/demo/text"
	"openloop/sim/scrape"
)

// A sentence for every text that cannot be read: what it is, and what to do.

// wrong says why nothing was read.
func wrong(in scrape.Input, err error) string {
	if hint := recognized(in.First + "\n" + in.Second); hint != "" {
		return hint
	}
	var limit *scrape.LimitError
	var bad *scrape.InputError
	switch {
	case errors.As(err, &limit):
		return "The text is too large: " + text.Whole(limit.Got) + " " + limit.What + ", and at most " + text.Whole(limit.Most) + " are read. " + shorten
	case errors.As(err, &bad) && bad.Part == "text" && strings.HasSuffix(bad.Was, " scrapes"):
		says := "There are " + bad.Was + " in the text. Paste two: an earlier and a later one of the same server."
		if _, why, ok := strings.Cut(bad.Legal, "; "); ok {
			says += " They are told apart by what comes twice: " + why + "."
		}
		return says
	case errors.As(err, &bad) && bad.Part == "text":
		return other(in)
	case errors.As(err, &bad):
		return "The " + bad.Part + " is " + bad.Was + ". What can be read: " + bad.Legal + "."
	}
	return "This cannot be read: " + err.Error() + "."
}

// shorten is how to make a text smaller: what the rules read of a page of
// metrics, with the lines that date it.
const shorten = `Of scrapes keep what is read, by grep -E '^(vllm|sglang):|^process_start|^[0-9.]+$'; of a log the last few hundred lines.`

// tooLong refuses a text of n bytes, of which the end may be cut off already.
func tooLong(n int) string {
	return "The text is longer than " + text.Whole(maxPaste) + " bytes, and was not read. " + shorten
}

// recognized knows what people paste by mistake.
func recognized(s string) string {
	head := strings.ToLower(strings.TrimLeft(s[:min(len(s), 2000)], " \t\r\n\ufeff"))
	engine := strings.Contains(s, "vllm:") || strings.Contains(s, "sglang:")
	switch {
	case engine:
		return ""
	case strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html") || strings.HasPrefix(head, "<?xml"):
		return "This is a web page, not /metrics: another address, or a login in between. What is wanted has lines such as vllm:num_requests_running{...} 12.0."
	case strings.Contains(head, `"detail":"not found"`):
		return "The server says that it has no such page. SGLang has /metrics only if it was started with --enable-metrics; vLLM has it on the port of its API."
	case strings.HasPrefix(head, "curl: ("):
		return "This is curl's message that it could not get the page: look at address and port."
	case strings.HasPrefix(head, "{") || strings.HasPrefix(head, "["):
		return "This is JSON. Paste the text of /metrics itself, or lines of the server's log."
	}
	return ""
}

// other describes a text that holds nothing of an engine.
func other(in scrape.Input) string {
	var p scrape.Paste
	problem := ""
	for _, s := range [...]string{in.First, in.Second} {
		one, err := scrape.Parse(s)
		if err != nil {
			continue
		}
		p.Lines, p.Other, p.Plain, p.NotUnderstood = p.Lines+one.Lines, p.Other+one.Other, p.Plain+one.Plain, p.NotUnderstood+one.NotUnderstood
		if problem == "" && len(one.Problems) > 0 {
			problem = " Line " + text.Whole(one.Problems[0].Line) + " is " + text.Quote(one.Problems[0].Was, 60) + "."
		}
	}
	const wanted = " Wanted: one or two scrapes of /metrics of vLLM or SGLang, or lines of their log."
	switch {
	case p.Other > p.NotUnderstood && p.Other > p.Plain:
		return "These are " + text.Count(p.Other, "series", "series") + " of another exporter; none is of vLLM or SGLang." + wanted
	case p.Plain > p.NotUnderstood:
		return "These are lines of a log, and none of them carries figures. The engines write such a line every few seconds while they work, unless statistics are switched off." + wanted
	}
	return "There is nothing of vLLM or SGLang in " + text.Count(p.Lines, "line", "lines") + "." + problem + wanted
}
