package text

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"html"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEscape(t *testing.T) {
	assert.Equal(t, "a&lt;b&gt; &amp;amp; &#34;&#39; →", Escape(`a<b> &amp; "' →`))
	assert.Equal(t, "\ufffd\t\n&#13;\ufffd\ufffd", Escape("\x00\t\n\r\xff\x1b"))
}

// A flag stays on one line where one is read; a dash of a word, a minus and a flag that
// is longer than a phone is wide do not.
func TestAppendWords(t *testing.T) {
	for says, want := range map[string]string{
		"as with --max-concurrency.":                    `as with <span class="flag">--max-concurrency</span>.`,
		"--rate 5 & (-site-url), --burst":               `<span class="flag">--rate</span> 5 &amp; (<span class="flag">-site-url</span>), <span class="flag">--burst</span>`,
		"in-flight, 7-x, a -- b, x --, −5":              "in-flight, 7-x, a -- b, x --, −5",
		"--a-flag-longer-than-a-phone-is-wide and --kv": `--a-flag-longer-than-a-phone-is-wide and <span class="flag">--kv</span>`,
		"": "",
	} {
		assert.Equal(t, want, string(AppendWords(nil, says)))
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("<script>&\"'\r\x00\xff\ufffe")
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s)
		require.False(t, strings.ContainsAny(got, "<>\"'\r\x00"))
		require.Equal(t, carriable(s), html.UnescapeString(got))
		var v struct {
			A string `xml:"a,attr"`
		}
		require.NoError(t, xml.Unmarshal([]byte(`<x a="`+got+`">`+got+`</x>`), &v), "not well formed: %q", got)
	})
}

func carriable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return '\ufffd'
		}
		return r
	}, string([]rune(s)))
}

func TestCSV(t *testing.T) {
	var c CSV
	c.Comment("state", "v=1&seed=7\r\n# forged: 1")
	c.Row("batch", "time (ms)")
	c.Row("8", `says "a, b"`)
	c.Row("#1", " x", "y ", "", "a\nb")
	c.Row("")
	assert.Equal(t, "# state: v=1&seed=7  # forged: 1\n"+
		"batch,time (ms)\n"+
		"8,\"says \"\"a, b\"\"\"\n"+
		"\"#1\",\" x\",\"y \",,\"a\nb\"\n"+
		"\"\"\n", string(c.Bytes()))
}

func FuzzCSV(f *testing.F) {
	f.Add("a,b", "\"", "# x")
	f.Add("", "", "\n")
	f.Fuzz(func(t *testing.T, a, b, comment string) {
		var c CSV
		c.Comment("k", comment)
		c.Row(a, b)
		c.Row(b)
		r := csv.NewReader(bytes.NewReader(c.Bytes()))
		r.Comment, r.FieldsPerRecord = '#', -1
		rows, err := r.ReadAll()
		require.NoError(t, err)
		// encoding/csv reads \r\n inside quotes as \n.
		unix := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
		require.Equal(t, [][]string{{unix(a), unix(b)}, {unix(b)}}, rows)
	})
}

func TestJSON(t *testing.T) {
	var j JSON
	j.OpenObject()
	j.Text("a", "</script>\u2028")
	j.Key("list")
	j.OpenArray()
	j.Number(1.5)
	j.Number(math.NaN())
	j.Int(-3)
	j.Bool(true)
	j.OpenObject()
	j.CloseObject()
	j.Strings(nil)
	j.Strings([]string{"x", "[", ":"})
	j.CloseArray()
	j.Text("b", "")
	j.CloseObject()
	j.Newline()
	assert.Equal(t, `{"a":"\u003c/script>\u2028","list":[1.5,"NaN",-3,true,{},[],["x","[",":"]],"b":""}`+"\n", string(j.Bytes()))
	assert.True(t, json.Valid(j.Bytes()))
}

func FuzzJSON(f *testing.F) {
	f.Add("a\x00\x7f<\u2029\xff", 1e-7)
	f.Add("{", math.Inf(-1))
	f.Fuzz(func(t *testing.T, s string, x float64) {
		var j JSON
		j.OpenArray()
		j.String(s)
		j.Number(x)
		j.CloseArray()
		want, err := json.Marshal(s)
		require.NoError(t, err)
		var got []any
		require.NoError(t, json.Unmarshal(j.Bytes(), &got), "%s", j.Bytes())
		var norm string
		require.NoError(t, json.Unmarshal(want, &norm))
		require.Equal(t, norm, got[0])
		if math.IsNaN(x) || math.IsInf(x, 0) {
			require.Equal(t, Shortest(x), got[1])
		} else {
			require.Equal(t, math.Float64bits(x), math.Float64bits(got[1].(float64)))
		}
		require.NotContains(t, string(j.Bytes()), "<")
	})
}
