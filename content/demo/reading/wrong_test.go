package reading

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/draw"
	"openloop/content/demo/text"
)

// scrapeOf is a small scrape of a server: how many requests it has finished,
// and when its process began.
func scrapeOf(done, start string) string {
	return "process_start_time_seconds " + start + `
vllm:num_requests_waiting{engine="0",model_name="m"} 3.0
vllm:num_requests_running{engine="0",model_name="m"} 9.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"} ` + done + "\n"
}

// TestEveryTextHasASentence: whatever is pasted, a sentence says what it is and
// what to do, and every figure stands.
func TestEveryTextHasASentence(t *testing.T) {
	a, b := scrapeOf("100.0", "1.7e+09"), scrapeOf("160.0", "1.7e+09")
	logLine := `INFO 11-30 03:01:10 [loggers.py:271] Engine 000: Avg prompt throughput: 2296.7 tokens/s, Avg generation throughput: 802.6 tokens/s, Running: 15 reqs, Waiting: 0 reqs, GPU KV cache usage: 26.9%, Prefix cache hit rate: 49.1%` + "\n"
	long := strings.Repeat("x", 199_000)
	for _, c := range []struct{ name, first, second, seconds, says string }{
		{"blanks", " \n\t ", "", "", "Example: two scrapes of vLLM"},
		{"garbage", "what is wrong with my server?", "", "", "There is nothing of vLLM or SGLang in 1 line. Line 1 is \"what is wrong with my server?\". Wanted: one or two scrapes"},
		{"web page", "<!DOCTYPE html><html><body>vLLM API</body></html>", "", "", "This is a web page, not /metrics"},
		{"login", "<html>\n<head><title>Sign in</title>", "", "", "a login in between"},
		{"not found", `{"detail":"Not Found"}`, "", "", "started with --enable-metrics"},
		{"JSON", `{"status":"success","data":{}}`, "", "", "This is JSON"},
		{"curl", "curl: (7) Failed to connect to localhost port 8000", "", "", "look at address and port"},
		{"another exporter", "node_cpu_seconds_total{cpu=\"0\"} 12.5\nnode_load1 0.5\n", "", "", "These are 2 series of another exporter"},
		{"log without figures", "INFO 11-30 03:01:10 starting\nINFO 11-30 03:01:11 ready\n", "", "", "none of them carries figures"},
		{"one long line", long, "", "", "There is nothing of vLLM or SGLang in 1 line"},
		{"many short lines", strings.Repeat("a\n", 99_000), "", "", "There is nothing of vLLM or SGLang in 99,000 lines"},
		{"NUL", "vllm:\x00\x01\x02 1\n\x00", "", "", "There is nothing of vLLM or SGLang in 2 lines. Line 1 is \"\\x00"},
		{"right to left", "\u202e\u200fgnisrever", "", "", `"\u202e\u200fgnisrever"`},
		{"one scrape", a, "", "", "scrape again a minute later"},
		{"the same scrape twice", a, a, "60", "Both texts are the same scrape, or nothing happened in between: none of 4 series differs. Two scrapes of vLLM, 60 s apart"},
		{"wrong order", b, a, "60", "The second scrape is older than the first"},
		{"two servers", a, strings.ReplaceAll(b, "vllm:", "sglang:") + "sglang:token_usage 0.5\n", "60", "Two scrapes"},
		{"two models", strings.ReplaceAll(a, "process_start_time_seconds 1.7e+09\n", ""), strings.ReplaceAll(strings.ReplaceAll(b, "process_start_time_seconds 1.7e+09\n", ""), `"m"`, `"n"`), "60", "The second scrape is without any series of the first"},
		{"three scrapes", a + b + b, "", "", "There are 3 scrapes in the text. Paste two"},
		{"three scrapes, and by what", a + b + b, "", "", "process_start_time_seconds is there again with the same labels, where another begins"},
		{"no time", a, b, "", "There are no rates: type the seconds between the two"},
		{"a restart", a, scrapeOf("7.0", "1.8e+09"), "60", "replica restart"},
		{"one line of a log", logLine, "", "", "Lines of a log of vLLM"},
		{"a log and scrapes", a + logLine, b, "60", "The text holds 2 readings"},
		{"a cut line", a + "vllm:kv_cache_usage_perc{engine=\"0\",model_na", "", "", "One scrape of vLLM"},
		{"numbers beyond all sense", scrapeOf("1e308", "1.7e+09"), scrapeOf("NaN", "1.7e+09"), "0.001", "Two scrapes of vLLM"},
		{"only the second box", "", b, "", "One scrape of vLLM"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := pasted(t, c.first, c.second, c.seconds)
			says := x.Summary().String()
			assert.Contains(t, says, c.says)
			assert.Regexp(t, `[.:]$`, strings.TrimRight(says, " "))
			stands(t, x)
		})
	}
}

// stands checks that everything about a task can be shown.
func stands(t *testing.T, x *task) {
	t.Helper()
	figures := x.Figures()
	require.Len(t, figures, 8)
	for _, f := range figures {
		require.Regexp(t, `\d`, f.Alt, f.ID)
		require.NotEmpty(t, f.Table.Rows, f.ID)
		require.LessOrEqual(t, len(f.Table.Rows), 20, f.ID)
		for _, row := range f.Table.Rows {
			require.Len(t, row, len(f.Table.Columns), f.ID)
			for _, c := range row {
				require.True(t, c.Word, f.ID)
			}
		}
		for _, row := range f.Ranking.Rows {
			require.Len(t, row.Cells, len(f.Ranking.Columns), f.ID)
			require.NotEmpty(t, row.Label, f.ID)
		}
		for _, x := range f.Traces {
			require.Len(t, x.Y, len(x.X))
			require.Positive(t, x.Top)
		}
	}
	require.NotEmpty(t, x.Records().Rows)
	for _, row := range x.Records().Rows {
		require.Len(t, row, len(x.Records().Columns))
	}
	require.Len(t, x.Metrics(), 9+len(keys))
}

// TestBoxesRefuse: what is no text, or too much of it, does not get in.
func TestBoxesRefuse(t *testing.T) {
	s := demo.NewState(diagnoseMine())
	for _, c := range []struct {
		got  string
		kind text.ProblemKind
	}{
		{strings.Repeat("x", mostPaste+1), text.TooLong},
		{"vllm:\xff\xfe 1\n", text.NotText},
	} {
		after, p := s.Set("paste", c.got)
		require.NotNil(t, p)
		assert.Equal(t, c.kind, p.Kind)
		assert.Contains(t, p.Error(), "text of at most 1114112 bytes")
		assert.True(t, s.Values.Equal(after.Values))
	}
}

// TestTooLong: a text that is too long is a run of its own, that says so and how
// to shorten it, in either box: the verdict of the text before it is gone.
func TestTooLong(t *testing.T) {
	line := `vllm:num_requests_running{engine="0"} 1.0` + "\n"
	long := strings.Repeat(line, maxPaste/len(line)+1)
	require.Greater(t, len(strings.TrimSpace(long)), maxPaste)
	for _, box := range []string{"paste", "second"} {
		s, p := demo.NewState(diagnoseMine()).Set(box, long)
		require.Nil(t, p)
		x := finished(t, s)
		said := x.Summary().String()
		assert.Contains(t, said, "Nothing could be read. The text is longer than 1,048,576 bytes")
		assert.Contains(t, said, "grep -E")
		for _, f := range x.Figures() {
			assert.NotContains(t, f.Alt, "verdict", f.ID)
		}
	}
}

// TestExampleIdle: beside a text of one's own the example counts for nothing, and
// is not shown as if it did.
func TestExampleIdle(t *testing.T) {
	s := demo.NewState(diagnoseMine())
	at := s.Demo.Index("example")
	assert.Empty(t, s.Idle(at))
	s, p := s.Set("second", "vllm:num_requests_running 1")
	require.Nil(t, p)
	assert.Equal(t, "Your text is shown. Empty the boxes to see the example.", s.Idle(at))
}

// secret stands for what nobody but the reader may see.
const secret = "canary-5417"

// TestTextIsInNoLink: neither a link nor a file holds a line of what was pasted.
// Files that the reader saves hold the numbers, and names of replicas and model.
func TestTextIsInNoLink(t *testing.T) {
	const model = "our-model"
	s, p := demo.NewState(diagnoseMine()).Set("paste", "# "+secret+"\n"+strings.ReplaceAll(scrapeOf("1.0", "1.7e+09"), `"m"`, `"`+model+`"`)+secret+"_total 5\n"+secret+"\n")
	require.Nil(t, p)
	x := finished(t, s)
	assert.Equal(t, "v=1&seed=7", s.String())
	for _, file := range [][]byte{demo.CSV(s, x), demo.JSON(s, x), demo.JSONL(s, x)} {
		assert.False(t, strings.Contains(string(file), secret), "%s", file)
	}
	assert.Contains(t, string(demo.CSV(s, x)), "FNV-1a")
	assert.NotContains(t, string(demo.CSV(s, x)), model)
	assert.Contains(t, x.Summary().String(), "model "+model)
	assert.Contains(t, words(x), `Line 7 of text 1 is "`+secret+`"`, "on the page it is shown")
}

// hostile is markup in every place of a text that the page shows.
const hostile = `<img src=x onerror=alert(1)>`

func TestHostileTextIsText(t *testing.T) {
	one := strings.ReplaceAll(strings.ReplaceAll(scrapeOf("5.0", "1.7e+09"), `"m"`, `"`+hostile+`"`), `engine="0"`, `engine="`+hostile+`"`)
	more := strings.ReplaceAll(strings.ReplaceAll(one, "process_start", "#"), `engine="`+hostile, `engine="b`)
	x := pasted(t, one+more+hostile+"\nvllm:"+hostile+" 1\n", "", "60")
	stands(t, x)
	assert.Contains(t, words(x), "engine "+hostile, "it is shown as it is")
	assert.Contains(t, words(x), `is "`+hostile, "and what was not understood")
	doc, _ := draw.Frame(demo.NewState(diagnoseMine()), x)
	var frame any
	require.NoError(t, json.Unmarshal(doc, &frame))
	seen := 0
	for _, html := range markup(frame, "") {
		seen += strings.Count(html, "&lt;img")
		assert.False(t, strings.Contains(html, "<img"), html)
	}
	assert.Greater(t, seen, 4)
}

// markup is the strings of a frame that are HTML.
func markup(v any, key string) (out []string) {
	switch v := v.(type) {
	case string:
		if k := strings.ToLower(key); strings.HasSuffix(k, "html") || k == "table" || k == "say" {
			out = append(out, v)
		}
	case []any:
		for _, x := range v {
			out = append(out, markup(x, key)...)
		}
	case map[string]any:
		for k, x := range v {
			out = append(out, markup(x, k)...)
		}
	}
	return out
}
