package browser

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// tabsAtOnce is how many tabs are open. Tests that run side by side take turns
// with them: a new tab costs the browser more than most tests do. There is one more
// than a small machine has cores, which works while the others wait for the page to
// say something or for a debounced address.
const tabsAtOnce = 3

// spare holds the tabs that nobody uses; nil stands for one that is not open yet.
var spare = func() chan *tab {
	c := make(chan *tab, tabsAtOnce)
	for range tabsAtOnce {
		c <- nil
	}
	return c
}()

// borrow waits for a tab and gives it back when the test ends, as if it were
// new. One that a failed test leaves behind is closed instead. A test holds one
// tab at a time: two that each wait for a second one would wait for ever.
func borrow(t testing.TB) *tab {
	t.Helper()
	browserContext(t)
	tb := <-spare
	t.Cleanup(func() { spare <- tb })
	if tb == nil {
		tb = create(t)
	}
	tb.t = t
	tb.rec.reset()
	tb.files.reset()
	t.Cleanup(func() {
		err := tb.clean()
		if err != nil {
			t.Errorf("leave the tab as it was: %v", err)
		}
		if t.Failed() {
			tb.cancel()
			tb = nil
		}
	})
	return tb
}

// create opens a tab with a profile of its own.
func create(t testing.TB) *tab {
	t.Helper()
	rec := &recorder{contexts: map[cdp.FrameID]string{}}
	ctx, cancel := chromedp.NewContext(browserContext(t),
		chromedp.WithNewBrowserContext(), chromedp.WithListener(rec.listen))
	tb := &tab{t: t, ctx: ctx, cancel: cancel, rec: rec, shown: new(string)}
	tb.must("open a tab", chromedp.Do(ctx))
	send(tb, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: policyListener})
	send(tb, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	folder, err := downloadFolder()
	tb.must("make a folder for downloads", err)
	tb.files = &downloads{rec: rec, folder: folder}
	tb.must("listen for downloads", chromedp.ListenBrowser(ctx, tb.files.listen))
	_, err = chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior:         browser.SetDownloadBehaviorBehaviorAllowAndName,
		BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
		DownloadPath:     folder,
		EventsEnabled:    new(true),
	})
	tb.must("allow downloads", err)
	return tb
}

// downloadFolder is where all tabs save files, under names that no two share.
var downloadFolder = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "openloop-downloads") })

// clean leaves the page and takes back what a test may have set and a page may
// have kept.
func (tb *tab) clean() error {
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	*tb.shown = ""
	errs := []error{
		chromedp.Do(ctx, chromedp.Navigate("about:blank")),
		order(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}),
		order(ctx, emulation.ClearDeviceMetricsOverride, cdp.Empty{}),
		order(ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{}),
	}
	for _, origin := range tb.prefixes {
		if strings.Contains(origin, "://") {
			errs = append(errs, order(ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "local_storage"}))
		}
	}
	return errors.Join(errs...)
}

// order runs a protocol command for which nobody waits with a question.
func order[P, R any](ctx context.Context, cmd cdp.Command[P, R], p P) error {
	_, err := chromedp.Call(ctx, cmd, p)
	return err
}
