package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// frame is a document in a tab: the page or one of its iframes.
type frame struct {
	tab *tab
	id  cdp.FrameID
}

// call runs a JavaScript function in the frame, as if on a user's click, and
// returns its value. A promise is awaited, an exception fails the test.
func call[T any](f frame, fn string, args ...any) T {
	f.tab.t.Helper()
	v, err := tryCall[T](f, fn, args...)
	f.tab.must(shorten(fn), err)
	return v
}

// tryCall is call with the error returned.
func tryCall[T any](f frame, fn string, args ...any) (T, error) {
	var zero T
	id, ok := f.tab.rec.context(f.id)
	if !ok {
		return zero, fmt.Errorf("the frame has no document yet")
	}
	ctx, cancel := context.WithTimeout(f.tab.ctx, 2*patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.CallFunctionOn[T](fn, func(p *runtime.CallFunctionOnParams) {
		p.UniqueContextID = id
		p.AwaitPromise = new(true)
		p.UserGesture = new(true)
	}, args...))
}

// waiter polls a function inside the page until it returns something truthy.
const waiter = `(ms, ...args) => {
	const look = %s, end = performance.now() + ms;
	return new Promise(done => {
		(function again() {
			let value, error = '';
			try { value = look(...args) } catch (e) { error = String(e) }
			if (value) return done({ok: true, last: ''});
			if (performance.now() > end) return done({ok: false, last: error || JSON.stringify(value) || String(value)});
			setTimeout(again, 15);
		})();
	});
}`

// answer is what the waiter found.
type answer struct {
	OK   bool   `json:"ok"`
	Last string `json:"last"`
}

// wait returns once a JavaScript function of the frame gives a truthy value.
// It survives a navigation in between, and fails the test at the deadline.
func (f frame) wait(what, fn string, args ...any) {
	f.tab.t.Helper()
	if a := f.poll(patience, fn, args...); !a.OK {
		f.tab.t.Fatalf("waited in vain for %s; last value: %s%s", what, shorten(a.Last), f.tab.story())
	}
}

// poll is wait with its own deadline and the answer returned.
func (f frame) poll(limit time.Duration, fn string, args ...any) answer {
	f.tab.t.Helper()
	var last answer
	end := time.Now().Add(limit)
	for time.Now().Before(end) {
		left := time.Until(end).Milliseconds()
		a, err := tryCall[answer](f, fmt.Sprintf(waiter, fn), append([]any{left}, args...)...)
		if err == nil {
			return a
		}
		last.Last = err.Error()
		pause(f.tab.ctx)
	}
	return last
}

// until waits for something that only Go can see.
func (tb *tab) until(what string, ok func() bool) {
	tb.t.Helper()
	end := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(end) {
			tb.t.Fatalf("waited in vain for %s%s", what, tb.story())
		}
		pause(tb.ctx)
	}
}

// pause is the interval between two looks; no test depends on its length.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(15 * time.Millisecond):
	}
}
