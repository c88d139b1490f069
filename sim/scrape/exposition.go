package scrape

import (
	"slices"
	"strconv"
	"strings"
)

// One line of the text format of Prometheus (version 0.0.4, and what OpenMetrics
// adds to a sample line): name{label="value",...} value [time] [# exemplar].
// Source: prometheus.io/docs/instrumenting/exposition_formats.

// Label is a name and its value, escapes resolved.
type Label struct{ Name, Value string }

// Sample is one series and its value.
type Sample struct {
	Name   string // with a colon after the engine: vllm_ and sglang_ of re-exports are renamed
	Labels []Label
	Value  float64
	At     float64 // unix seconds of its time stamp; 0 if it has none
	Line   int

	rest string // its labels without le, in order: what a series is paired by
	from string // its replica
	of   string // its model
	le   float64
	isLE bool
}

// Label gives the value of a label, empty if it is not there.
func (s *Sample) Label(name string) string {
	for _, l := range s.Labels {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

// scanner walks through a line.
type scanner struct {
	s string
	i int
}

func (c *scanner) spaces() {
	for c.i < len(c.s) && (c.s[c.i] == ' ' || c.s[c.i] == '\t') {
		c.i++
	}
}

// take passes b if it comes next.
func (c *scanner) take(b byte) bool {
	if c.i < len(c.s) && c.s[c.i] == b {
		c.i++
		return true
	}
	return false
}

func letter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_' }
func digit(b byte) bool  { return '0' <= b && b <= '9' }

// name reads a metric's or a label's name; only metrics have colons.
func (c *scanner) name(colon bool) string {
	from := c.i
	for c.i < len(c.s) {
		b := c.s[c.i]
		if !(letter(b) || colon && b == ':' || c.i > from && digit(b)) {
			break
		}
		c.i++
	}
	return c.s[from:c.i]
}

// quoted reads a label's value.
func (c *scanner) quoted() (string, bool) {
	if !c.take('"') {
		return "", false
	}
	from := c.i
	for ; c.i < len(c.s) && c.s[c.i] != '"'; c.i++ {
		if c.s[c.i] == '\\' {
			return c.escaped(from)
		}
	}
	value := c.s[from:c.i]
	return value, c.take('"')
}

// escaped goes on where the first escape stands.
func (c *scanner) escaped(from int) (string, bool) {
	value := []byte(c.s[from:c.i])
	for ; c.i < len(c.s); c.i++ {
		b := c.s[c.i]
		if b == '"' {
			c.i++
			return string(value), true
		}
		if b == '\\' {
			c.i++
			if c.i == len(c.s) {
				break
			}
			switch b = c.s[c.i]; b {
			case 'n':
				b = '\n'
			case '\\', '"':
			default:
				value = append(value, '\\') // an escape that is none stands for itself
			}
		}
		value = append(value, b)
	}
	return "", false
}

// labels reads what stands in braces, both included.
func (c *scanner) labels() (out []Label, legal string) {
	for {
		c.spaces()
		if c.take('}') {
			return out, ""
		}
		if len(out) == MaxLabels {
			return nil, "at most " + strconv.Itoa(MaxLabels) + " labels"
		}
		name := c.name(false)
		if name == "" {
			return nil, "a label name or }"
		}
		c.spaces()
		if !c.take('=') {
			return nil, `= after a label name`
		}
		c.spaces()
		value, ok := c.quoted()
		if !ok {
			return nil, "a label value in double quotes"
		}
		out = append(out, Label{name, value})
		c.spaces()
		if !c.take(',') && (c.i >= len(c.s) || c.s[c.i] != '}') {
			return nil, ", or } after a label"
		}
	}
}

// parseSample reads a line; legal is empty if it is one, and otherwise says
// what could have stood where at begins.
func parseSample(line string) (s Sample, at, legal string) {
	c := scanner{s: line}
	s.Name = ownName(c.name(true))
	if s.Name == "" {
		return s, line, "a metric name"
	}
	c.spaces()
	if c.take('{') {
		if s.Labels, legal = c.labels(); legal != "" {
			return s, c.s[min(c.i, len(c.s)):], legal
		}
		c.spaces()
	} else if c.i == len(s.Name) {
		return s, c.s[c.i:], "a space or { after the metric name"
	}
	number := c.word()
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return s, number, "a number"
	}
	s.Value = v
	c.spaces()
	if c.i < len(c.s) && c.s[c.i] != '#' {
		stamp := c.word()
		t, err := strconv.ParseFloat(stamp, 64)
		if err != nil || !(0 < t && t < 1e14) {
			return s, stamp, "a time stamp of unix seconds or milliseconds, or nothing"
		}
		if t > 1e11 {
			t /= 1000
		}
		s.At = t
		c.spaces()
	}
	if c.i < len(c.s) && c.s[c.i] != '#' {
		return s, c.s[c.i:], "nothing after the time stamp"
	}
	return s, "", s.key()
}

func (c *scanner) word() string {
	from := c.i
	for c.i < len(c.s) && c.s[c.i] != ' ' && c.s[c.i] != '\t' {
		c.i++
	}
	return c.s[from:c.i]
}

// ownName gives names of re-exports, which may not hold a colon, as the engine
// writes them.
func ownName(name string) string {
	if rest, ok := strings.CutPrefix(name, "vllm_"); ok {
		return "vllm:" + rest
	}
	if rest, ok := strings.CutPrefix(name, "sglang_"); ok {
		return "sglang:" + rest
	}
	return name
}

// key sorts the labels and joins them; le is kept apart.
func (s *Sample) key() (legal string) {
	slices.SortFunc(s.Labels, func(a, b Label) int { return strings.Compare(a.Name, b.Name) })
	size := 0
	for i, l := range s.Labels {
		if i > 0 && l.Name == s.Labels[i-1].Name {
			return "each label once: " + clip(l.Name)
		}
		size += len(l.Name) + len(l.Value) + 2
	}
	key := make([]byte, 0, size)
	for _, l := range s.Labels {
		if l.Name == "le" {
			v, err := strconv.ParseFloat(l.Value, 64)
			if err != nil || v != v {
				return "a number as label le"
			}
			s.le, s.isLE = v, true
			continue
		}
		key = append(key, l.Name...)
		key = append(key, 0)
		key = append(key, l.Value...)
		key = append(key, 1)
	}
	s.rest = string(key)
	return ""
}
