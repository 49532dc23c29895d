package dmn

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Dates, times and durations are numbers in formulas, which have no others: their order and equality are those of the
// numbers. Nothing else of them has a counterpart.

// momentOf returns the number of a date, a time or a duration in ISO 8601.
func momentOf(s string) (kind, float64, error) {
	if k, x, ok := durationOf(s); ok {
		return k, x, nil
	}
	if t, err := time.Parse("2006-01-02", s); err == nil {
		return date, float64(t.Unix() / (24 * 60 * 60)), nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return instant, float64(t.Unix()) + float64(t.Nanosecond())/1e9, nil
		}
	}
	for _, layout := range []string{"15:04:05Z07:00", "15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			_, offset := t.Zone()
			return clock, float64(t.Hour()*3600+t.Minute()*60+t.Second()-offset) + float64(t.Nanosecond())/1e9, nil
		}
	}
	return unknown, 0, fmt.Errorf("%q is no date, time or duration that is read", s)
}

var durationForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(-?)P(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})D)?` +
		`(T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d+)?)S)?)?$`)
})

// durationOf returns the months or the seconds of a duration, which has one or the other.
func durationOf(s string) (kind, float64, bool) {
	m := durationForm().FindStringSubmatch(s)
	if m == nil || strings.HasSuffix(s, "P") || strings.HasSuffix(s, "T") {
		return unknown, 0, false
	}
	part := func(i int) float64 {
		x, err := strconv.ParseFloat(m[i], 64)
		if err != nil {
			return 0 // it is not there
		}
		return x
	}
	sign := 1.0
	if m[1] != "" {
		sign = -1
	}
	days := m[4] != "" || m[5] != ""
	switch years := m[2] != "" || m[3] != ""; {
	case years && days:
		return unknown, 0, false
	case years:
		return months, sign * (12*part(2) + part(3)), true
	}
	return seconds, sign * (86400*part(4) + 3600*part(6) + 60*part(7) + part(8)), true
}
