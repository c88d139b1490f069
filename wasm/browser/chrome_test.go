package browser

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for a condition before it fails. It is far
// above what any of them needs, so that a busy machine fails nothing.
const patience = 60 * time.Second

// required says whether a missing browser or site is a failure.
func required() bool {
	return os.Getenv("CI") != "" || os.Getenv("OPENLOOP_BROWSER") == "require"
}

// long says whether the tests may take as long as they like.
func long() bool { return os.Getenv("OPENLOOP_LONG") != "" }

// lacking ends a test that cannot run here: as skipped on a developer's
// machine, as failed where the tests are meant to be complete.
func lacking(t testing.TB, what string) {
	t.Helper()
	if required() {
		t.Fatal(what)
	}
	t.Skip(what + " (set OPENLOOP_BROWSER=require to make this a failure)")
}

// chrome is the browser of the package, started by the first test that asks;
// chromeStarted tells TestMain that there is something to stop.
var (
	chrome        = sync.OnceValues(startChrome)
	chromeStarted atomic.Bool
)

// startChrome starts headless Chromium with its own profile. Frames share the
// process of their page, so that one protocol session sees all of them; origins
// and sandboxes stay as opaque as ever.
func startChrome() (context.Context, error) {
	chromeStarted.Store(true)
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.Flag("disable-features", "Translate,IsolateSandboxedIframes,IsolateOrigins,site-per-process"),
		chromedp.WindowSize(1280, 900),
	)
	if path := os.Getenv("OPENLOOP_CHROMIUM"); path != "" {
		opts = append(opts, chromedp.ExecPath(path))
	}
	alloc, _ := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, _ := chromedp.NewContext(alloc)
	return ctx, chromedp.Do(ctx)
}

// browserContext returns the running browser, or ends the test.
func browserContext(t testing.TB) context.Context {
	t.Helper()
	if os.Getenv("OPENLOOP_CHROMIUM") == "" && !onPath("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell", "headless-shell") {
		lacking(t, "no Chromium on PATH")
	}
	ctx, err := chrome()
	if err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	return ctx
}

func onPath(names ...string) bool {
	for _, n := range names {
		if _, err := exec.LookPath(n); err == nil {
			return true
		}
	}
	return false
}

// TestMain lets more tests run at once than there are tabs: Firefox and Lighthouse
// need none.
func TestMain(m *testing.M) {
	flag.Parse()
	if !given("test.parallel") {
		_ = flag.Set("test.parallel", strconv.Itoa(tabsAtOnce+2))
	}
	code := m.Run()
	stopChrome()
	os.Exit(code)
}

// given says whether a flag is on the command line.
func given(name string) (yes bool) {
	flag.Visit(func(f *flag.Flag) { yes = yes || f.Name == name })
	return yes
}

// stopChrome closes the browser if a test has started it.
func stopChrome() {
	if !chromeStarted.Load() {
		return
	}
	if ctx, err := chrome(); err == nil {
		_ = chromedp.Cancel(ctx)
	}
	if folder, err := downloadFolder(); err == nil {
		_ = os.RemoveAll(folder)
	}
}
