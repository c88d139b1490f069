package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"openloop/site/internal/build"
	"openloop/site/internal/engine"
	"openloop/site/internal/export"
)

// exportCmd packs the site that is in dist, which must pass its checks.
func exportCmd(a app, args []string) error {
	f := flagSet(a, "export")
	sf := addSiteFlags(f)
	id := f.String("demo", "", "`id` of the demo, for single")
	file := f.String("o", "", "`file` to write; needed")
	rest, err := parse(a, f, args, 1)
	if err != nil {
		return err
	}
	format := ""
	if len(rest) > 0 {
		format = rest[0]
	}
	switch {
	case format != "zip" && format != "single":
		return usage("export: which format? There are zip, the whole site in one archive, and single, one demo in one file of HTML")
	case *file == "":
		return usage("export: where to? Name the file with -o")
	case format == "zip" && *id != "":
		return usage("export zip: -demo %s is for single; a zip has every demo", *id)
	case format == "single" && *id == "":
		return usage("export single: which demo? Name it with -demo")
	}
	if format == "single" {
		if _, err := engine.New(a.modules, nil, nil).Find(*id); err != nil {
			return usageError{err}
		}
	}
	o, err := sf.options(a)
	if err != nil {
		return err
	}
	out := build.New(o).Out()
	if _, err := fs.Stat(os.DirFS(out), "index.html"); errors.Is(err, fs.ErrNotExist) {
		return usage("export: there is no site in %s; ./build.sh makes it", out)
	}
	if err := build.Check(out); err != nil {
		return err
	}
	var raw []byte
	if format == "zip" {
		raw, err = export.Zip(os.DirFS(out))
	} else {
		raw, err = export.Single(os.DirFS(out), *id, o.SiteURL)
	}
	if err != nil {
		return err
	}
	if err := writeFile(*file, raw); err != nil {
		return err
	}
	fmt.Fprintf(a.err, "wrote %s, %d bytes\n", *file, len(raw))
	return nil
}
