package redact

import (
	"fmt"
	"math"
)

// Stats are what a sample should share with its trace.
type Stats struct {
	Requests int
	Seconds  float64 // from the first request to the last
	Rate     float64 // requests/s
	GapCV    float64 // deviation of the gaps over their mean: 1 for Poisson, more for bursts
	Peak     float64 // requests of the fullest of thirty equal parts over those of the mean part
	Input    float64 // mean tokens
	Output   float64
	Reuse    float64 // share of blocks that an earlier request began with, for a cache without limit; NaN without hashes
}

// Measure takes the statistics of rows in the order of arrival.
func Measure(rows []Row) Stats {
	s := Stats{Requests: len(rows), Reuse: math.NaN()}
	if len(rows) == 0 {
		return s
	}
	first, last := rows[0].At, rows[len(rows)-1].At
	s.Seconds = (last - first) / 1000
	if s.Seconds > 0 {
		s.Rate = float64(len(rows)-1) / s.Seconds
	}
	var sum, squares float64
	parts := make([]int, 30)
	for i, row := range rows {
		s.Input += float64(row.Input) / float64(len(rows))
		s.Output += float64(row.Output) / float64(len(rows))
		if i > 0 {
			gap := row.At - rows[i-1].At
			sum, squares = sum+gap, squares+gap*gap
		}
		if last > first {
			parts[min(int(30*(row.At-first)/(last-first)), 29)]++
		}
	}
	if n := float64(len(rows) - 1); n > 0 && sum > 0 {
		mean := sum / n
		s.GapCV = math.Sqrt(max(0, squares/n-mean*mean)) / mean
	}
	for _, n := range parts {
		s.Peak = max(s.Peak, float64(n)*30/float64(len(rows)))
	}
	if rows[0].Blocks != nil {
		s.Reuse = reuse(rows)
	}
	return s
}

// reuse counts the blocks at the front of each prompt that some prompt before it
// has had.
func reuse(rows []Row) float64 {
	seen := map[string]bool{}
	found, all := 0, 0
	for _, row := range rows {
		front := true
		for _, b := range row.Blocks {
			all++
			if front = front && seen[b]; front {
				found++
			}
		}
		for _, b := range row.Blocks {
			seen[b] = true
		}
	}
	return float64(found) / float64(max(1, all))
}

// String is the statistics in a line.
func (s Stats) String() string {
	out := fmt.Sprintf("%d requests in %.0f s, %.3g/s, gap CV %.3g, fullest part %.3g× the mean one, %.0f tokens in and %.0f out", s.Requests, s.Seconds, s.Rate, s.GapCV, s.Peak, s.Input, s.Output)
	if !math.IsNaN(s.Reuse) {
		out += fmt.Sprintf(", %.1f%% of blocks seen before", 100*s.Reuse)
	}
	return out
}
