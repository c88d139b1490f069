package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// errHelp ends a command that was only asked what it does.
var errHelp = errors.New("help was asked for")

// flagSet makes the flags of a command. -x and --x are the same.
func flagSet(a app, name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// parse reads flags wherever they stand and returns the other arguments; the
// flag package by itself stops at the first of those. After -- everything is
// an argument.
func parse(a app, f *flag.FlagSet, args []string, most int) ([]string, error) {
	var rest []string
	for {
		err := f.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			printUsage(a.out, f)
			return nil, errHelp
		}
		if err != nil {
			return nil, usage("%s: %w; `openloop help %s` says more", f.Name(), err, f.Name())
		}
		left := f.Args()
		if ended := len(args) - len(left); ended > 0 && args[ended-1] == "--" {
			rest = append(rest, left...)
			break
		}
		if len(left) == 0 {
			break
		}
		rest = append(rest, left[0])
		args = left[1:]
	}
	if len(rest) > most {
		return nil, usage("%s: %q is one argument too many", f.Name(), rest[most])
	}
	return rest, nil
}

func printUsage(w io.Writer, f *flag.FlagSet) {
	for _, c := range commands() {
		if c.name == f.Name() {
			fmt.Fprintf(w, "usage: openloop %s [flags] %s\n\n%s.\n", c.name, c.args, strings.ToUpper(c.says[:1])+c.says[1:])
		}
	}
	fmt.Fprintln(w)
	f.SetOutput(w)
	f.PrintDefaults()
	f.SetOutput(io.Discard)
}

// repeated is a flag that may be given more than once.
type repeated []string

func (l *repeated) String() string     { return strings.Join(*l, " ") }
func (l *repeated) Set(s string) error { *l = append(*l, s); return nil }
