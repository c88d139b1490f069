package prose

import "fmt"

// Checks of the page that reads what somebody pastes, on its examples.

const mine = "diagnose-mine"

// reads fails unless the rules read an example as a verdict.
func reads(example, verdict string) error {
	r, err := runAt(mine, "v=1&example="+example)
	if err != nil {
		return err
	}
	if got := r.task.Records().Rows[0][1].Text; got != verdict {
		return fmt.Errorf("the example %s reads as %s", example, got)
	}
	return nil
}

func mineSameLoad() error {
	const healthy = "v=1&example=healthy"
	came, err := metric(mine, healthy, "offered_accepted_per_s")
	return first(err, reads("full", "kv_squeeze"), reads("healthy", "healthy"),
		within(mine, "v=1", "gpu_util_percent", 99, 100), within(mine, healthy, "gpu_util_percent", 99, 100),
		within(mine, "v=1", "offered_accepted_per_s", 0.99*came, 1.01*came),
		within(mine, healthy, "completed_per_s", 0.95*came, 1.05*came), within(mine, "v=1", "completed_per_s", 0.8*came, 0.92*came),
		within(mine, "v=1", "preemptions_per_s", 2.5, 3.5), within(mine, healthy, "preemptions_per_s", 0, 0))
}

func mineITLBlind() error {
	return first(within(mine, "v=1", "itl_low", 0.01, 0.01), within(mine, "v=1", "itl_high", 0.025, 0.025),
		within(mine, "v=1&example=healthy", "itl_low", 0.01, 0.01), within(mine, "v=1&example=healthy", "itl_high", 0.025, 0.025))
}

func mineTTFT() error {
	return first(within(mine, "v=1", "ttft_low", 10, 10), within(mine, "v=1", "ttft_high", 20, 20),
		within(mine, "v=1&example=healthy", "ttft_low", 0.02, 0.02), within(mine, "v=1&example=healthy", "ttft_high", 0.04, 0.04))
}

// mineLog looks for the line that says when accepted length left what is normal.
func mineLog() error {
	if err := reads("log", "draft_collapse"); err != nil {
		return err
	}
	r, err := runAt(mine, "v=1&example=log")
	if err != nil {
		return err
	}
	for _, f := range r.task.Figures() {
		for _, row := range f.Ranking.Rows {
			if f.ID == "verdict" && row.Label == "accepted length" {
				if want := "down from 1.7 tokens to 1 token, from 180 s on"; len(row.Says) < len(want) || row.Says[:len(want)] != want {
					return fmt.Errorf("accepted length went %s", row.Says)
				}
				return nil
			}
		}
	}
	return fmt.Errorf("accepted length is no reason")
}

func mineLogKnown() error { return within(mine, "v=1&example=log", "known", 5, 5) }

func mineOne() error {
	r, err := runAt(mine, "v=1&example=one")
	if err != nil {
		return err
	}
	for _, row := range r.task.Records().Rows[1:] {
		if row[3].Text != "" || !row[3].Word {
			return fmt.Errorf("%s has a value before", row[1].Text)
		}
	}
	return within(mine, "v=1&example=one", "known", 5, 5)
}
