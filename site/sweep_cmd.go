package main

import "openloop/content/demo"

func sweepCmd(a app, args []string) error {
	f := flagSet(a, "sweep")
	out := addOutFlags(f)
	var sets repeated
	f.Var(&sets, "set", "`knob=first:last:step`, knob=a,b,c or knob=value; may be given again for another knob")
	seedList := f.String("seeds", "", "`seeds` such as 1-30 or 1,2,10-12; by default the seed of STATE")
	rest, err := parse(a, f, args, 2)
	if err != nil {
		return err
	}
	if err := out.check(); err != nil {
		return err
	}
	s, err := a.state(f.Name(), rest)
	if err != nil {
		return err
	}
	if len(sets) == 0 && *seedList == "" {
		return usage("sweep: nothing to sweep; give -set or -seeds")
	}
	var ranges []demo.Range
	for _, set := range sets {
		r, p := demo.ParseSweep(s.Demo, set)
		if p != nil {
			return usageError{*p}
		}
		ranges = append(ranges, r)
	}
	var seeds []uint32
	if *seedList != "" {
		list, p := demo.ParseSeeds(*seedList)
		if p != nil {
			return usageError{*p}
		}
		seeds = list
	}
	t, err := demo.Sweep(s, ranges, seeds)
	if err != nil {
		return usageError{err}
	}
	demo.Finish(t)
	return out.write(a, s, t)
}
