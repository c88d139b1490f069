package diagnose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"openloop/sim"
	"openloop/sim/scrape"
)

// run is a scenario as its dashboard shows it.
func run(t testing.TB, s sim.Scenario, seed uint64, pulls ...sim.Pull) []sim.Window {
	t.Helper()
	s, err := s.Pulled(pulls...)
	require.NoError(t, err)
	x, err := s.New(seed)
	require.NoError(t, err)
	x.Run()
	return sim.NewWindows(x.Results(), sim.SeriesOptions{KVBlocks: s.Config.Engine.KVBlocks, SLO: sim.HealthySLO})
}

func defaultPull(l *sim.Lever) sim.Pull {
	return sim.Pull{Lever: l.ID, Span: sim.Span{From: l.Start, To: l.End}, Intensity: l.Default}
}

// caseWindows is what a case's text gives the rules.
func caseWindows(t testing.TB, folder string) []sim.Window {
	t.Helper()
	report, err := scrape.Read(caseInput(t, folder))
	require.NoError(t, err)
	require.Len(t, report.Readings, 1)
	return report.Readings[0].Windows()
}
