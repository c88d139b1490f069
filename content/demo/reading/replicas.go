package reading

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
	"openloop/sim/scrape"
)

// mostRows is how many rows a table has.
const mostRows = 20

// ofReplica are the columns of a replica.
var ofReplica = [...]struct {
	id   scrape.ID
	name string
}{
	{scrape.Queue, "Waiting"}, {scrape.Running, "Running"}, {scrape.KV, "KV"}, {scrape.OfferedRate, "Arrivals"},
	{scrape.TTFT, "TTFT p99"}, {scrape.ITL, "ITL p99"}, {scrape.GenerationRate, "Generated"},
}

func (t *task) replicasFigure() demo.Figure {
	f := demo.Figure{ID: "replicas", Title: "Each replica", Kind: demo.Ranks}
	switch {
	case t.wrong != "":
		return f.Empty("There is nothing to show.")
	case len(t.read.Replicas) < 2:
		if t.read.Source == scrape.LogLines {
			return f.Empty("The text tells no replicas apart: that takes a number of the engine, or the name of a pod or container in front of each line.")
		}
		return f.Empty("The text tells no replicas apart: that takes the label engine, dp_rank, instance or pod.")
	}
	f.Ranking.Head = "Replica"
	for _, c := range ofReplica {
		f.Ranking.Columns = append(f.Ranking.Columns, demo.RankColumn{Name: c.name})
	}
	for i := range t.read.Replicas {
		if i == mostRows {
			f.Notes = append(f.Notes, text.Whole(len(t.read.Replicas)-mostRows)+" more are not shown; the file of the CSV button has all.")
			break
		}
		p := &t.read.Replicas[i]
		row := demo.Rank{Label: name(p.Name), Strong: t.apart(i)}
		if t.left(p.Name) {
			row.Label += " (gone)"
		}
		for _, c := range ofReplica {
			short := inWords(c.id, p.Now[c.id])
			switch c.id {
			case scrape.Queue, scrape.Running:
				short = number(p.Now[c.id])
			}
			if short == "" {
				short = "–"
			}
			row.Cells = append(row.Cells, demo.RankCell{Text: short})
		}
		f.Ranking.Rows = append(f.Ranking.Rows, row)
	}
	f.Notes = append(f.Notes, "A percentile of all is that of their buckets added up, never a mean of theirs; of KV the fullest counts.")
	f.Alt = text.Whole(len(t.read.Replicas)) + " replicas."
	f.Table = demo.RankTable(f)
	return f
}

// number is a count without its unit.
func number(v scrape.Value) string {
	if !v.Known {
		return ""
	}
	return text.Num(v.Value, 4)
}

// apart says that a replica is the one that a reason is about.
func (t *task) apart(i int) bool {
	for k := range t.found.Reasons {
		x := &t.found.Reasons[k]
		if x.Move == sim.Up && x.Replica == i {
			return true
		}
	}
	return false
}
