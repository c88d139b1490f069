package main

import (
	"regexp"
	"strconv"
	"strings"
)

// found is what was measured: by where it ran, the name of the benchmark and the
// unit. "native BenchmarkP8 requests/s".
type found map[string]float64

// result is a line of a benchmark: its name, how many times it ran, then numbers
// with their units. A logged one is indented.
var result = regexp.MustCompile(`^\s*(Benchmark[^\s]*?)(?:-\d+)?\s+\d+\s+(\S.*)$`)

// read keeps the numbers of a line, if it is one of a benchmark.
func (f found) read(where, line string) {
	m := result.FindStringSubmatch(line)
	if m == nil {
		return
	}
	words := strings.Fields(m[2])
	for i := 0; i+1 < len(words); i += 2 {
		if x, err := strconv.ParseFloat(words[i], 64); err == nil {
			f[where+" "+m[1]+" "+words[i+1]] = x
		}
	}
}

// all are the numbers in a unit of a benchmark and of those below it.
func (f found) all(where, name, unit string) (list []float64) {
	for key, x := range f {
		words := strings.SplitN(key, " ", 3)
		below := strings.HasPrefix(words[1], name+"/") || strings.HasPrefix(words[1], name) && name == clusterPreset
		if words[0] == where && words[2] == unit && (words[1] == name || below) {
			list = append(list, x)
		}
	}
	return list
}

// clusterPreset opens the names of the benchmarks of cluster presets.
const clusterPreset = "BenchmarkClusterPreset"
