package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"openloop/content/tables"
	"openloop/planner"
	"openloop/sim/diagnose"
	"openloop/site/internal/check"
)

// kept adds what is known without measuring: the scores of the kept tables, and
// how long the tests took when they last passed.
func kept(root string, f found) {
	f["kept diagnosis-right %"], f["kept diagnosis-alarms %"] = diagnosis()
	for _, g := range tables.PublishedGroups() {
		if g.Target > 0 {
			f["kept "+g.Name+" %"] = 100 * g.MAPE
		}
	}
	f["kept dense-left-out %"] = 100 * planner.PublishedFit().DenseLeftOutFrac
	raw, err := os.ReadFile(filepath.Join(root, ".cache", "test-seconds"))
	if err != nil {
		return // never run here
	}
	if s, err := strconv.ParseFloat(strings.TrimSpace(string(raw)), 64); err == nil {
		f["kept test s"] = s
	}
}

// weigh keeps the largest of each kind of file that has a budget.
func weigh(dist string, f found) error {
	sizes, err := check.Sizes(os.DirFS(dist))
	if err != nil {
		return err
	}
	for _, s := range sizes {
		kind := ""
		switch {
		case strings.HasSuffix(s.What, "no demo started"):
			kind = "page"
		case strings.HasPrefix(s.What, "assets/modules/"):
			kind = "modules"
		case s.What == "assets/scene-engine.js":
			kind = "scene"
		case s.What == "assets/chart.js":
			kind = "charts"
		}
		if key := "size " + kind + " bytes"; kind != "" {
			f[key] = max(f[key], float64(s.Bytes))
		}
	}
	return nil
}

// diagnosis is how many verdicts are right, and how many healthy runs were called
// ill, in percent of the runs of the kept table.
func diagnosis() (right, alarms float64) {
	var runs, good, fine, ill int
	for _, r := range tables.DiagnosisRows() {
		top := r.Top1(tables.WithStrip)
		if strings.HasPrefix(tables.DiagnosisVerdicts()[r.Right-'a'], diagnose.Healthy) {
			fine += r.Runs()
			ill += r.Runs() - top
			continue
		}
		runs += r.Runs()
		good += top
	}
	return 100 * float64(good) / float64(runs), 100 * float64(ill) / float64(fine)
}
