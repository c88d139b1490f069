package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"openloop/site/internal/build"
	"openloop/site/internal/serve"
)

// pollEvery is how often the sources are looked at.
const pollEvery = 500 * time.Millisecond

func serveCmd(a app, args []string) error {
	f := flagSet(a, "serve")
	sf := addSiteFlags(f)
	public := f.Bool("public", false, "let other machines reach the server")
	rest, err := parse(a, f, args, 1)
	if err != nil {
		return err
	}
	addr := "127.0.0.1:8080"
	if len(rest) == 1 {
		addr = rest[0]
	}
	if err := serve.Address(addr, *public); err != nil {
		return usageError{err}
	}
	o, err := sf.sources(a)
	if err != nil {
		return err
	}
	ln, err := serve.Listen(addr) // before the build, which may take long
	if err != nil {
		return err
	}
	defer ln.Close()
	b := build.New(o)
	looked := serve.Look(o.Root)
	if err := buildOnce(a, b); err != nil {
		fmt.Fprintf(a.err, "openloop: %v\n", err) // there may be an older site to show
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	w := &rebuilder{app: a, b: b, root: o.Root}
	watched := make(chan struct{})
	go func() {
		serve.Watch(ctx, o.Root, looked, pollEvery, w.rebuild)
		close(watched)
	}()
	err = serve.Run(ctx, ln, serve.Handler(b.Out()), func(url string) {
		fmt.Fprintf(a.err, "serving %s (Ctrl-C ends it)\n", url)
	})
	stop()
	<-watched // it may be putting a site in place
	return err
}

// rebuilder answers changes of the sources.
type rebuilder struct {
	app
	b      *build.Builder
	root   string
	old    bool // the sources are newer than this process
	behind bool // and no build of them has succeeded
}

func (r *rebuilder) rebuild(files []string, k serve.Kind) {
	fmt.Fprintf(r.err, "changed: %s\n", strings.Join(files, " "))
	var err error
	switch {
	case k == serve.Sources, r.behind:
		r.old = true
		err = r.command("./build.sh", "build")
		r.behind = err != nil
	case r.old:
		err = r.command(filepath.Join("bin", "openloop"), "build")
	default:
		err = buildOnce(r.app, r.b)
	}
	if err != nil {
		fmt.Fprintf(r.err, "openloop: %v\nthe last good site is still served\n", err)
	}
}

func (r *rebuilder) command(name string, args ...string) error {
	c := exec.Command(filepath.Join(r.root, name), args...)
	c.Dir, c.Stdout, c.Stderr = r.root, r.err, r.err
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}
