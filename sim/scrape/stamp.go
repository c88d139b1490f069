package scrape

import "strings"

// Time stamps, without package time. A log's instants are seconds on a scale of
// its own: only differences are used.
//
//	vLLM    05-06 06:11:23            no year, no zone
//	SGLang  [2026-09-13 16:06:04 DP3 TP3]
//	others  2026-05-06T06:11:23.123Z  (docker, kubectl --timestamps), HTTP dates

const day = 86400

// days counts from 1970-01-01 in the Gregorian calendar; a month is 1 to 12.
func days(year, month, dayOfMonth int) int {
	if month <= 2 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + dayOfMonth - 1 - 719468
}

// digits reads exactly n digits of s from i.
func digits(s string, i, n int) (int, bool) {
	if i < 0 || i+n > len(s) {
		return 0, false
	}
	v := 0
	for _, b := range []byte(s[i : i+n]) {
		if !digit(b) {
			return 0, false
		}
		v = 10*v + int(b-'0')
	}
	return v, true
}

// clockAt reads HH:MM:SS with a fraction at i: seconds of the day, and where
// it ends.
func clockAt(s string, i int) (float64, int, bool) {
	h, ok1 := digits(s, i, 2)
	m, ok2 := digits(s, i+3, 2)
	sec, ok3 := digits(s, i+6, 2)
	if !ok1 || !ok2 || !ok3 || s[i+2] != ':' || s[i+5] != ':' || h > 23 || m > 59 || sec > 60 {
		return 0, i, false
	}
	end := i + 8
	t := float64(h*3600 + m*60 + sec)
	if end < len(s) && (s[end] == '.' || s[end] == ',') {
		scale := 0.1
		for end++; end < len(s) && digit(s[end]); end++ {
			t += float64(scale * float64(s[end]-'0'))
			scale /= 10
		}
	}
	return t, end, true
}

// lastStamp finds the last date and time of day in a line's prefix: what the
// server wrote, not the collector in front of it. full says that it has a year.
func lastStamp(s string) (at float64, full, ok bool) {
	for i := len(s) - 8; i >= 6; i-- {
		if s[i+2] != ':' {
			continue
		}
		t, end, good := clockAt(s, i)
		if !good || s[i-1] != ' ' && s[i-1] != 'T' {
			continue
		}
		month, ok1 := digits(s, i-6, 2)
		d, ok2 := digits(s, i-3, 2)
		if !ok1 || !ok2 || s[i-4] != '-' || month < 1 || month > 12 || d < 1 || d > 31 {
			continue
		}
		year, hasYear := digits(s, i-11, 4)
		if hasYear && s[i-7] == '-' {
			return float64(days(year, month, d)*day) + t - zone(s[end:]), true, true
		}
		return float64(days(1972, month, d)*day) + t, false, true
	}
	return 0, false, false
}

// zone is what +02:00 and the like say, in seconds.
func zone(s string) float64 {
	if len(s) < 5 || s[0] != '+' && s[0] != '-' {
		return 0
	}
	h, ok1 := digits(s, 1, 2)
	m, ok2 := digits(s, len("+00")+boolInt(s[3] == ':'), 2)
	if !ok1 || !ok2 || h > 14 || m > 59 {
		return 0
	}
	seconds := float64(h*3600 + m*60)
	if s[0] == '-' {
		return -seconds
	}
	return seconds
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

const monthNames = "janfebmaraprmayjunjulaugsepoctnovdec"

// httpDate reads "Mon, 30 Nov 2026 04:24:11 GMT", as the date header of a
// response has it, and "Mon Nov 30 04:24:11 UTC 2026", as the command date
// prints it; always UTC.
func httpDate(s string) (float64, bool) {
	words := strings.Fields(strings.ReplaceAll(s, ",", " "))
	if len(words) != 6 {
		return 0, false
	}
	dayWord, monthWord, yearWord, clockWord, zoneWord := words[1], words[2], words[3], words[4], words[5]
	if len(monthWord) != 3 || !letter(monthWord[0]) {
		monthWord, dayWord, clockWord, zoneWord, yearWord = words[1], words[2], words[3], words[4], words[5]
	}
	if zoneWord != "GMT" && zoneWord != "UTC" || len(monthWord) != 3 {
		return 0, false
	}
	if len(dayWord) == 1 {
		dayWord = "0" + dayWord
	}
	month := strings.Index(monthNames, strings.ToLower(monthWord))
	d, ok1 := digits(dayWord, 0, 2)
	year, ok2 := digits(yearWord, 0, 4)
	t, _, ok3 := clockAt(clockWord, 0)
	if month < 0 || month%3 != 0 || !ok1 || !ok2 || !ok3 || d < 1 || d > 31 {
		return 0, false
	}
	return float64(days(year, month/3+1, d)*day) + t, true
}

// timeLine reads a line that is nothing but an instant: a reader put it around
// a paste.
func timeLine(s string) (float64, bool) {
	if t, ok := httpDate(s); ok {
		return t, true
	}
	if len(s) == 10 {
		if t, ok := digits(s, 0, 10); ok && t > 1e9 {
			return float64(t), true
		}
	}
	if len(s) < 19 || len(s) > 35 || strings.Count(s, " ") > 1 {
		return 0, false
	}
	t, full, ok := lastStamp(s)
	return t, ok && full
}

// plain drops terminal colors (ESC [ ... letter) and the carriage return.
func plain(s string) string {
	s = strings.TrimSuffix(s, "\r")
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			out = append(out, s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '[' {
			for i += 2; i < len(s) && (digit(s[i]) || s[i] == ';'); {
				i++
			}
		}
	}
	return string(out)
}
