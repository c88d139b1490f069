package text

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWords(t *testing.T) {
	assert.Equal(t, "1 seed", Count(1, "seed", "seeds"))
	assert.Equal(t, "0 seeds", Count(0, "seed", "seeds"))
	assert.Equal(t, "1,000 seeds", Count(1000, "seed", "seeds"))
	assert.Equal(t, "8 requests", WithUnit("8", "requests"))
	assert.Equal(t, "1 request", WithUnit("1", "requests"))
	assert.Equal(t, "1 ms", WithUnit("1", "ms"))
	assert.Equal(t, "1 requests/s", WithUnit("1", "requests/s"))
	assert.Equal(t, "42%", WithUnit("42", "%"))
	assert.Equal(t, "16/s", WithUnit("16", "1/s"))
	assert.Equal(t, "8", WithUnit("8", ""))
	assert.Equal(t, "n/a", WithUnit(Num(math.NaN(), 3), "%"))
	assert.Equal(t, "", List(nil, "or"))
	assert.Equal(t, "a", List([]string{"a"}, "or"))
	assert.Equal(t, "a or b", List([]string{"a", "b"}, "or"))
	assert.Equal(t, "a, b and c", List([]string{"a", "b", "c"}, "and"))
}

func FuzzQuote(f *testing.F) {
	f.Add("a\x00\u2028\xff\"", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := Quote(s, limit)
		require.True(t, utf8.ValidString(got))
		for _, r := range got {
			require.True(t, strconv.IsPrint(r), "%q", got)
		}
		if limit < 0 || utf8.RuneCountInString(s) <= limit {
			back, err := strconv.Unquote(got)
			require.NoError(t, err, got)
			require.Equal(t, s, back)
		}
	})
}

func TestProblem(t *testing.T) {
	for _, c := range []struct {
		p    Problem
		want string
	}{
		{Problem{OutOfRange, "rate", "Requests", "99", "0.5 to 20 /s; the nearest is 20/s"}, `Requests (rate): "99" is out of range; legal: 0.5 to 20 /s; the nearest is 20/s`},
		{Problem{Kind: BadEscape, Key: "link", Got: "%zz"}, `link: "%zz" has a broken % escape`},
		{Problem{Kind: NotNumber, Key: "rate", Name: "Rate", Got: "<b>\x1b" + strings.Repeat("x", 60), Legal: "1 to 2"},
			`rate: "<b>\x1b` + strings.Repeat("x", 36) + `…" is not a number; legal: 1 to 2`},
	} {
		assert.EqualError(t, c.p, c.want)
	}
}

// Every kind has its own words.
func TestProblemKinds(t *testing.T) {
	seen := map[string]bool{}
	for k := NotNumber; k <= TooMany; k++ {
		assert.False(t, seen[k.says()], k.says())
		seen[k.says()] = true
	}
	assert.False(t, seen[(TooMany+1).says()], "a kind has no words of its own")
}

func TestQuote(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"abc", 40, `"abc"`},
		{"", 40, `""`},
		{`a"b\`, 40, `"a\"b\\"`},
		{"a\nb\x00\x7f", 40, `"a\nb\x00\x7f"`},
		{"\u202eevil", 40, `"\u202eevil"`}, // would turn the message around
		{"\xffz", 40, `"\xffz"`},
		{"äß→", 40, `"äß→"`},
		{"\ufffd", 40, "\"\ufffd\""},
		{"12345", 5, `"12345"`},
		{"123456", 5, `"12345…"`},
		{"äöüäöx", 5, `"äöüäö…"`},
	} {
		assert.Equal(t, c.want, Quote(c.in, c.limit), "%q", c.in)
	}
}
