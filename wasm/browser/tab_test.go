package browser

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// tab is a browser tab that one test has (pool_test.go). When the test ends, it
// fails on everything that no page may do (see recorder.trouble).
type tab struct {
	t        testing.TB
	ctx      context.Context
	cancel   context.CancelFunc // closes it
	rec      *recorder
	allowed  []*regexp.Regexp
	prefixes []string
	shown    *string // address of the page that is shown, without its hash
	files    *downloads
}

// newTab opens a tab that may load what starts with one of the prefixes; data:
// and blob: URLs carry no request to anybody and are always legal.
func newTab(t testing.TB, prefixes ...string) *tab {
	t.Helper()
	return openTab(t, prefixes...).in(t)
}

// in gives the tab to a subtest: from here to its end, faults are the
// subtest's.
func (tb *tab) in(t testing.TB) *tab {
	t.Helper()
	mine := *tb
	mine.t, mine.allowed = t, nil
	tb.rec.reset()
	t.Cleanup(func() {
		for _, f := range mine.trouble() {
			t.Error(f)
		}
	})
	return &mine
}

// openTab is newTab without the verdict at the end.
func openTab(t testing.TB, prefixes ...string) *tab {
	t.Helper()
	tb := borrow(t)
	tb.allowed, tb.prefixes = nil, append(prefixes, "data:", "blob:", "about:")
	return tb
}

// allow names a fault that the test provokes on purpose.
func (tb *tab) allow(pattern string) { tb.allowed = append(tb.allowed, regexp.MustCompile(pattern)) }

// trouble is what the tab did wrong so far.
func (tb *tab) trouble() []string { return tb.rec.trouble(tb.allowed, tb.prefixes) }

func (tb *tab) must(what string, err error) {
	tb.t.Helper()
	if err != nil {
		tb.t.Fatalf("%s: %v%s", what, err, tb.story())
	}
}

// story is the console so far, for the message of a failure.
func (tb *tab) story() string {
	tb.rec.mu.Lock()
	defer tb.rec.mu.Unlock()
	if len(tb.rec.console) == 0 {
		return ""
	}
	last := tb.rec.console[max(0, len(tb.rec.console)-12):]
	return "\nconsole:\n  " + strings.Join(last, "\n  ")
}

// send runs one protocol command on the tab.
func send[P, R any](tb *tab, cmd cdp.Command[P, R], p P) R {
	tb.t.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	res, err := chromedp.Call(ctx, cmd, p)
	tb.must(cmd.Method, err)
	return res
}

// open loads a page and waits for its load event, even if only the hash
// differs from the page that is shown.
func (tb *tab) open(url string) frame {
	tb.t.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	bare, _, _ := strings.Cut(url, "#")
	if bare == *tb.shown {
		tb.must("leave the page", chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	}
	*tb.shown = bare
	tb.must("open "+shorten(url), chromedp.Do(ctx, chromedp.Navigate(url)))
	return tb.main()
}

// main is the page itself.
func (tb *tab) main() frame {
	tb.t.Helper()
	tree := send(tb, page.GetFrameTree, cdp.Empty{})
	return frame{tab: tb, id: tree.FrameTree.Frame.ID}
}

// child waits for the frame below the page whose URL contains a piece, loaded.
func (tb *tab) child(piece string) frame {
	tb.t.Helper()
	var f frame
	tb.until("a frame with "+piece, func() bool {
		id, ok := findFrame(send(tb, page.GetFrameTree, cdp.Empty{}).FrameTree, piece)
		f = frame{tab: tb, id: id}
		return ok
	})
	f.wait("the frame to load", `() => document.readyState === 'complete'`)
	return f
}

func findFrame(tree *page.FrameTree, piece string) (cdp.FrameID, bool) {
	for _, c := range tree.ChildFrames {
		if strings.Contains(c.Frame.URL+c.Frame.URLFragment, piece) {
			return c.Frame.ID, true
		}
		if id, ok := findFrame(c, piece); ok {
			return id, true
		}
	}
	return "", false
}
