package browser

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	clog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// request is one thing that a page asked for.
type request struct {
	ID     network.RequestID
	URL    string
	Type   network.ResourceType
	Status int64   // of the response, 0 if there was none
	Failed string  // error text of a request that got no answer
	Bytes  float64 // of the body as it came over the wire, compressed
}

// recorder keeps what a tab did, in order. Its listener runs on the goroutine
// that reads the tab's messages; everything else reads copies under the lock.
type recorder struct {
	mu       sync.Mutex
	faults   []string // console errors, exceptions, policy violations
	console  []string // everything on the console, for diagnosis
	requests []request
	contexts map[cdp.FrameID]string // unique id of each frame's own world
}

// policyMark opens the console line of the listener for policy violations.
const policyMark = "content security policy violation:"

// policyListener is put into every document before its scripts.
const policyListener = `addEventListener('securitypolicyviolation', e => console.error('` + policyMark +
	`', e.violatedDirective, e.blockedURI, e.sourceFile + ':' + e.lineNumber), true)`

func (r *recorder) listen(ev any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		r.say(string(ev.Type), consoleText(ev.Args), ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeAssert)
	case *runtime.EventExceptionThrown:
		r.say("exception", exceptionText(ev.ExceptionDetails), true)
	case *clog.EventEntryAdded:
		e := ev.Entry
		r.say(string(e.Level), fmt.Sprintf("%s: %s %s", e.Source, e.Text, e.URL), e.Level == clog.EntryLevelError)
	case *runtime.EventExecutionContextCreated:
		var aux struct {
			FrameID   cdp.FrameID `json:"frameId"`
			IsDefault bool        `json:"isDefault"`
		}
		if json.Unmarshal(ev.Context.AuxData, &aux) == nil && aux.IsDefault {
			r.contexts[aux.FrameID] = ev.Context.UniqueID
		}
	case *runtime.EventExecutionContextDestroyed:
		for f, id := range r.contexts {
			if id == ev.ExecutionContextUniqueID {
				delete(r.contexts, f)
			}
		}
	case *runtime.EventExecutionContextsCleared:
		clear(r.contexts)
	default:
		r.listenNetwork(ev)
	}
}

func (r *recorder) listenNetwork(ev any) {
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		r.requests = append(r.requests, request{ID: ev.RequestID, URL: ev.Request.URL, Type: ev.Type})
	case *network.EventWebSocketCreated:
		r.requests = append(r.requests, request{ID: ev.RequestID, URL: ev.URL})
	case *network.EventResponseReceived:
		if q := r.find(ev.RequestID); q != nil {
			q.Status = ev.Response.Status
		}
	case *network.EventLoadingFinished:
		if q := r.find(ev.RequestID); q != nil {
			q.Bytes = ev.EncodedBodyLength
		}
	case *network.EventLoadingFailed:
		if q := r.find(ev.RequestID); q != nil && !ev.Canceled {
			q.Failed = ev.ErrorText
		}
	}
}

// reset forgets everything but the worlds of the frames.
func (r *recorder) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults, r.console, r.requests = nil, nil, nil
}

// find returns the newest request with an id: redirects share theirs.
func (r *recorder) find(id network.RequestID) *request {
	for i := len(r.requests) - 1; i >= 0; i-- {
		if r.requests[i].ID == id {
			return &r.requests[i]
		}
	}
	return nil
}

func (r *recorder) say(kind, text string, fault bool) {
	line := kind + ": " + text
	r.console = append(r.console, line)
	if fault {
		r.faults = append(r.faults, line)
	}
}

// context is the world of a frame in which its own scripts run.
func (r *recorder) context(f cdp.FrameID) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, ok := r.contexts[f]
	return id, ok
}

// sent returns the requests so far whose URL matches.
func (r *recorder) sent(match *regexp.Regexp) []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []request
	for _, q := range r.requests {
		if match.MatchString(q.URL) {
			found = append(found, q)
		}
	}
	return found
}

// trouble lists what no page may do: faults on the console that nobody
// allowed, requests outside the allowed prefixes, requests without a good
// answer.
func (r *recorder) trouble(allowed []*regexp.Regexp, prefixes []string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, f := range r.faults {
		if !matchesAny(allowed, f) {
			out = append(out, f)
		}
	}
	for _, q := range r.requests {
		switch {
		case !hasAnyPrefix(q.URL, prefixes):
			out = append(out, "foreign request: "+shorten(q.URL))
		case q.Status >= 400 && !matchesAny(allowed, q.URL):
			out = append(out, fmt.Sprintf("status %d: %s", q.Status, shorten(q.URL)))
		case q.Failed != "" && !matchesAny(allowed, q.URL):
			out = append(out, fmt.Sprintf("%s: %s", q.Failed, shorten(q.URL)))
		}
	}
	return out
}

func matchesAny(list []*regexp.Regexp, s string) bool {
	for _, re := range list {
		if re.MatchString(s) {
			return true
		}
	}
	return false
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// shorten keeps a message readable when a URL carries data or a long hash.
func shorten(s string) string {
	if len(s) > 160 {
		return fmt.Sprintf("%s... (%d bytes)", s[:160], len(s))
	}
	return s
}

func consoleText(args []*runtime.RemoteObject) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a.Description
		var s string
		if json.Unmarshal(a.Value, &s) == nil {
			words[i] = s
		} else if words[i] == "" {
			words[i] = string(a.Value)
		}
	}
	return strings.Join(words, " ")
}

func exceptionText(d *runtime.ExceptionDetails) string {
	text := d.Text
	if d.Exception != nil {
		text += " " + d.Exception.Description + " " + string(d.Exception.Value)
	}
	return fmt.Sprintf("%s (%s:%d:%d)", text, d.URL, d.LineNumber+1, d.ColumnNumber+1)
}
