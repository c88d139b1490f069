package redact

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"time"
)

// Write writes a trace in its own form. Times count from its first request; in
// CSV, which has no other way, from the first second of the year 2000.
func (t *Trace) Write(out io.Writer) error {
	w := bufio.NewWriter(out)
	if t.Form == "csv" {
		w.WriteString("TIMESTAMP,ContextTokens,GeneratedTokens\n")
	}
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	var line []byte
	for _, row := range t.Rows {
		line = line[:0]
		if t.Form == "csv" {
			at := epoch.Add(time.Duration(math.Round(row.At*1e4)) * 100)
			line = at.AppendFormat(line, "2006-01-02 15:04:05.0000000")
			line = strconv.AppendInt(append(line, ','), int64(row.Input), 10)
			line = strconv.AppendInt(append(line, ','), int64(row.Output), 10)
			w.Write(append(line, '\n'))
			continue
		}
		line = strconv.AppendFloat(append(line, `{"timestamp": `...), math.Round(row.At*1e4)/1e4, 'f', -1, 64)
		line = strconv.AppendInt(append(line, `, "input_length": `...), int64(row.Input), 10)
		line = strconv.AppendInt(append(line, `, "output_length": `...), int64(row.Output), 10)
		if row.Blocks != nil {
			line = append(line, `, "hash_ids": [`...)
			for i, b := range row.Blocks {
				if i > 0 {
					line = append(line, ", "...)
				}
				line = append(line, b...) // digits: a keyed name
			}
			line = append(line, ']')
		}
		if row.Session != "" {
			line = append(append(append(line, `, "session_id": "`...), row.Session...), '"')
		}
		w.Write(append(line, "}\n"...))
	}
	return w.Flush()
}
