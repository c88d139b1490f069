package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"openloop/site/internal/build"
	"openloop/site/internal/check"
)

// siteFlags are those of every command that knows the repository.
type siteFlags struct{ root, siteURL *string }

func addSiteFlags(f *flag.FlagSet) siteFlags {
	return siteFlags{
		root:    f.String("root", "", "`folder` of the repository; by default found from here upwards"),
		siteURL: f.String("site-url", "", "`address` where the site will be, for canonical links, sitemap.xml and the pictures of link previews; without it there are none"),
	}
}

func (s siteFlags) options(a app) (build.Options, error) {
	root := *s.root
	if root == "" {
		var err error
		if root, err = findRoot(); err != nil {
			return build.Options{}, err
		}
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return build.Options{}, usage("-root %s: there is no such folder", root)
	}
	if text := *s.siteURL; text != "" {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
			return build.Options{}, usage("-site-url %q is not an http or https address of a folder, such as https://example.org/guide/", text)
		}
	}
	return build.Options{Root: root, SiteURL: *s.siteURL, Modules: a.modules, Claims: a.claims, Tables: a.tables, Figures: a.figures, Pages: a.pages, Wasm: a.wasm}, nil
}

// sources are the options of a command that builds, which needs all of the
// repository.
func (s siteFlags) sources(a app) (build.Options, error) {
	o, err := s.options(a)
	if err == nil && !isRoot(o.Root) {
		err = usage("-root %s is not the openloop repository: it has no go.mod of it", o.Root)
	}
	return o, err
}

// there is an error if no site was ever built.
func there(out string) error {
	if _, err := os.Stat(filepath.Join(out, "index.html")); errors.Is(err, fs.ErrNotExist) {
		return usage("there is no site in %s; ./build.sh makes it", out)
	}
	return nil
}

func isRoot(dir string) bool {
	raw, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(raw), "module openloop\n")
}

// findRoot looks for our go.mod from the current folder upwards.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if isRoot(dir) {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", usage("this folder is not in the openloop repository; name it with -root")
		}
		dir = up
	}
}

func buildCmd(a app, args []string) error {
	f := flagSet(a, "build")
	sf := addSiteFlags(f)
	if _, err := parse(a, f, args, 0); err != nil {
		return err
	}
	o, err := sf.sources(a)
	if err != nil {
		return err
	}
	return buildOnce(a, build.New(o))
}

// buildOnce builds and says on standard error what came of it.
func buildOnce(a app, b *build.Builder) error {
	start := time.Now()
	r, err := b.Build()
	if err != nil {
		return fmt.Errorf("the site was not built:\n%w", err)
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(a.err, "warning: %s\n", w)
	}
	without := ""
	if !b.Placed() {
		without = ", without canonical links, sitemap.xml and pictures for link previews (-site-url)"
	}
	fmt.Fprintf(a.err, "built %d pages (%d files, %d results made anew) in %.2f s: %s%s\n",
		r.Pages, r.Files, r.Made, time.Since(start).Seconds(), b.Out(), without)
	return nil
}

func checkCmd(a app, args []string) error {
	f := flagSet(a, "check")
	sf := addSiteFlags(f)
	if _, err := parse(a, f, args, 0); err != nil {
		return err
	}
	o, err := sf.options(a)
	if err != nil {
		return err
	}
	b := build.New(o)
	if err := there(b.Out()); err != nil {
		return err
	}
	if err := build.Check(b.Out()); err != nil {
		return err
	}
	sizes, err := check.Sizes(os.DirFS(b.Out()))
	if err != nil {
		return err
	}
	for _, s := range sizes {
		fmt.Fprintln(a.out, s)
	}
	r, err := b.Try()
	if err != nil {
		return err
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(a.err, "warning: %s\n", w)
	}
	if len(r.Idle) > 0 {
		return usage("claims that no page makes: %s", strings.Join(r.Idle, ", "))
	}
	fmt.Fprintf(a.err, "checked %s: links, anchors, ids, names and sizes are fine\n", b.Out())
	return nil
}
