package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/site/internal/cache"
	"openloop/site/internal/engine"
)

// formats are the ways to print a run, by the name of -format.
var formats = map[string]func(demo.State, demo.Task) []byte{
	"text":  demo.Text,
	"csv":   demo.CSV,
	"json":  demo.JSON,
	"jsonl": demo.JSONL,
}

// outFlags say how and where a result goes.
type outFlags struct{ format, file *string }

func addOutFlags(f *flag.FlagSet) outFlags {
	return outFlags{
		format: f.String("format", "text", "text, csv, json or jsonl (a line for each record); csv is byte for byte what the page's CSV button saves"),
		file:   f.String("o", "", "write to `file` instead of standard output, which is also called -"),
	}
}

// check is what can be said before anything is computed. read are files that are
// read, which -o must not name.
func (o outFlags) check(read ...source) error {
	if formats[*o.format] == nil {
		return usage("-format %q is none of text, csv, json and jsonl", *o.format)
	}
	return target(*o.file, read...)
}

func (o outFlags) write(a app, s demo.State, t demo.Task) error {
	return a.deliver(*o.file, formats[*o.format](s, t))
}

func runCmd(a app, args []string) error {
	f := flagSet(a, "run")
	out := addOutFlags(f)
	var texts repeated
	f.Var(&texts, "read", "`knob=file` reads the text of a knob from a file, or with - from standard input; may be given again")
	rest, err := parse(a, f, args, 2)
	if err != nil {
		return err
	}
	var read []source
	for _, from := range texts {
		if knob, name, ok := strings.Cut(from, "="); ok {
			read = append(read, source{"-read " + knob, name})
		}
	}
	if err := out.check(read...); err != nil {
		return err
	}
	s, err := a.state(f.Name(), rest)
	if err != nil {
		return err
	}
	for _, from := range texts {
		if s, err = a.readText(s, from); err != nil {
			return err
		}
	}
	t, err := demo.Run(s)
	if err != nil {
		return usageError{err}
	}
	var errs []error
	for _, p := range s.CheckHide(t.Figures()) {
		errs = append(errs, p)
	}
	if err := errors.Join(errs...); err != nil {
		return usageError{err}
	}
	return out.write(a, s, t)
}

// readText is the state with the text of a knob from a file, given as knob=file.
func (a app) readText(s demo.State, from string) (demo.State, error) {
	knob, name, ok := strings.Cut(from, "=")
	if !ok {
		return s, usage("-read %q is not knob=file", from)
	}
	i := s.Demo.Index(knob)
	if i < 0 || s.Demo.Knobs[i].Writing == nil {
		return s, usage("-read %s: %s has no text called %q", from, s.Demo.ID, knob)
	}
	in, err := a.open("-read "+knob, name)
	if err != nil {
		return s, err
	}
	defer in.Close()
	most := 2*s.Demo.Knobs[i].Writing.Max + 1 // of a longer text as much as is refused, whatever its line ends
	raw, err := io.ReadAll(io.LimitReader(in, int64(most)))
	if err != nil {
		return s, fmt.Errorf("-read %s: %w", from, plain(err))
	}
	next, p := s.Set(knob, string(raw))
	if p != nil {
		return s, usageError{*p}
	}
	return next, nil
}

// state reads DEMO [STATE].
func (a app) state(cmd string, rest []string) (demo.State, error) {
	if len(rest) == 0 {
		return demo.State{}, usage("%s: which demo? %s", cmd, a.known())
	}
	d, err := engine.New(a.modules, cache.Open(""), nil).Find(rest[0])
	if err != nil {
		return demo.State{}, usageError{err}
	}
	link := ""
	if len(rest) > 1 {
		if link, err = a.link(rest[1]); err != nil {
			return demo.State{}, err
		}
	}
	s, problems := demo.Parse(d, link)
	var errs []error
	for _, p := range problems {
		if p.Kind == text.OtherEngine {
			fmt.Fprintf(a.err, "warning: %v\n", p)
			continue
		}
		if p.Kind == text.Duplicate { // on a page the first one counts; here nothing is run
			p.Kind, p.Legal = text.Repeated, "each key once"
		}
		errs = append(errs, p)
	}
	for _, p := range s.Unused() {
		fmt.Fprintf(a.err, "warning: %v\n", p)
	}
	if err := errors.Join(errs...); err != nil {
		return s, usageError{err}
	}
	return s, nil
}

func (a app) known() string {
	var ids []string
	for _, d := range demo.Demos(a.modules) {
		ids = append(ids, d.ID)
	}
	return "There are " + text.List(ids, "and") + "."
}

// link is STATE as it was given: with or without '#', or - for standard input.
func (a app) link(arg string) (string, error) {
	if arg != std {
		return arg, nil
	}
	raw, err := io.ReadAll(io.LimitReader(a.in, demo.MaxLink+2))
	if err != nil {
		return "", fmt.Errorf("reading the state: %w", err)
	}
	return strings.TrimSpace(string(raw)), nil
}
