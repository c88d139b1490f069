package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"openloop/site/internal/build"
	"openloop/site/internal/engine"
	"openloop/site/internal/export"
)

// exportCmd packs the site that is in dist, which must pass its checks.
func exportCmd(a app, args []string) error {
	f := flagSet(a, "export")
	sf := addSiteFlags(f)
	id := f.String("demo", "", "`id` of the demo, for single")
	file := f.String("o", "", "`file` to write, - being standard output; needed")
	date := f.String("date", "", "`day` that files in a zip are of, as 2026-01-31, later in each edition; by default SOURCE_DATE_EPOCH or the newest commit")
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
	case format == "single" && *date != "":
		return usage("export single: -date %s is for zip; the file has the date at which it is written", *date)
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
	of := dated{}
	if format == "zip" {
		of, err = edition(*date, os.Getenv("SOURCE_DATE_EPOCH"), o.Root)
	}
	if err := errors.Join(err, target(*file), outside(out, *file), there(out)); err != nil {
		return usageError{err}
	}
	if err := build.Check(out); err != nil {
		return err
	}
	var raw []byte
	if format == "zip" {
		raw, err = export.Zip(os.DirFS(out), of.date)
	} else {
		raw, err = export.Single(os.DirFS(out), *id, o.SiteURL)
	}
	if err != nil {
		return err
	}
	if err := a.deliver(*file, raw); err != nil {
		return err
	}
	fmt.Fprintf(a.err, "wrote %s, %d bytes\n", *file, len(raw))
	if format == "zip" {
		fmt.Fprintf(a.err, "its files are of %s, %s\n", of.date.Format(time.DateTime+" MST"), of.from)
	}
	return nil
}

// outside is an error if a file would lie in the site that it is made from.
func outside(site, file string) error {
	to, err := filepath.Abs(file)
	if err != nil || file == std {
		return err
	}
	if rel, err := filepath.Rel(site, to); err == nil && filepath.IsLocal(rel) {
		return usage("-o %s is inside of the site that is packed", file)
	}
	return nil
}

// dated is when the files of an edition are of, and who says so.
type dated struct {
	date time.Time
	from string
}

// edition finds a date that the same sources have again and that later ones
// exceed: a server compares it to tell a browser that a file has changed. It is
// that of -date, of SOURCE_DATE_EPOCH (seconds since 1970) or of the newest commit.
func edition(flag, epoch, root string) (dated, error) {
	if flag != "" {
		day, err := time.Parse(time.DateOnly, flag)
		if err != nil {
			return dated{}, usage("-date %q is not a day such as 2026-01-31", flag)
		}
		return within(dated{day, "as -date says"})
	}
	if epoch != "" {
		s, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return dated{}, usage("SOURCE_DATE_EPOCH %q is not a number of seconds since 1970", epoch)
		}
		return within(dated{time.Unix(s, 0).UTC(), "as SOURCE_DATE_EPOCH says"})
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
		out, err := exec.Command("git", "-C", root, "log", "-1", "--format=%ct").Output()
		if s, bad := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64); err == nil && bad == nil {
			return within(dated{time.Unix(s, 0).UTC(), "as the newest commit"})
		}
	}
	return dated{export.Earliest, "since no commit, -date or SOURCE_DATE_EPOCH gives a later date; whoever replaces an older edition must touch them"}, nil
}

// within refuses a date that a zip cannot carry.
func within(d dated) (dated, error) {
	if d.date.Before(export.Earliest) || d.date.After(export.Latest) {
		return d, usage("the files of a zip cannot be of %s, %s; legal: years 1980 to 2107", d.date.Format(time.DateOnly), d.from)
	}
	return d, nil
}
