package reading

import (
	"openloop/content/demo/text"
	"openloop/sim/scrape"
)

// comings says which engines of a log began or stopped while others wrote: "Of
// vllm-0 no line comes after 50 s: it is left out from then on. Lines of
// vllm-2 begin at 60 s: it counts from there."; "" if all were there all the time.
func (t *task) comings() string {
	out := ""
	add := func(s string) {
		if out != "" {
			out += " "
		}
		out += s
	}
	tell := func(lives []scrape.Life, one func(scrape.Life)) {
		const most = 3
		for _, x := range lives[:min(most, len(lives))] {
			one(x)
		}
		if more := len(lives) - most; more > 0 {
			add("So it is with " + text.Count(more, "other", "others") + ".")
		}
	}
	tell(t.read.Left, func(x scrape.Life) {
		after := "at some point"
		if x.At == x.At {
			after = "after " + text.Num(x.At, 4) + " s"
		}
		add("Of " + named(x) + " no line comes " + after + ", while others go on: it is left out from then on.")
	})
	tell(t.read.Came, func(x scrape.Life) {
		at := "later than the others"
		if x.At == x.At {
			at = "at " + text.Num(x.At, 4) + " s"
		}
		add("Lines of " + named(x) + " begin " + at + ": it counts from there.")
	})
	return out
}

func named(x scrape.Life) string {
	if x.Name == "" {
		return "an engine without a name"
	}
	return name(x.Name)
}

// left says whether a replica has stopped writing.
func (t *task) left(replica string) bool {
	for _, x := range t.read.Left {
		if x.Name == replica {
			return true
		}
	}
	return false
}
