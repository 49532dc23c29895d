package generated

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// makeObject makes JSON of members at random: most of them fit.
func (g *Generator) makeObject(members ...func() (string, any)) []byte {
	m := map[string]any{}
	for _, member := range members {
		if k, v := member(); k != "" {
			m[k] = v
		}
	}
	if g.isOneIn(60) {
		m[pickOne(g, "unknown", "n_", "Arm", "strength_of_bod", "strength_of_b", "strength_of_body_and_mine",
			"strength_of_body_and_mind_")] = 1
	}
	text, _ := json.Marshal(m)
	if g.isOneIn(3) {
		text = g.shuffleMembers(text)
	}
	if g.isOneIn(25) {
		return g.rewriteJSON(text)
	}
	return text
}

// shuffleMembers writes JSON with the members of its objects in another order: otherwise they go by letters.
func (g *Generator) shuffleMembers(text []byte) []byte {
	var members map[string]json.RawMessage
	var elements []json.RawMessage
	var out []byte
	switch text[0] {
	case '{':
		if json.Unmarshal(text, &members) != nil {
			return text
		}
		names := slices.Sorted(maps.Keys(members))
		g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			quoted, _ := json.Marshal(name)
			out = append(append(append(append(out, ','), quoted...), ':'), g.shuffleMembers(members[name])...)
		}
		return append(append([]byte{'{'}, out[min(1, len(out)):]...), '}')
	case '[':
		if json.Unmarshal(text, &elements) != nil {
			return text
		}
		for _, x := range elements {
			out = append(append(out, ','), g.shuffleMembers(x)...)
		}
		return append(append([]byte{'['}, out[min(1, len(out)):]...), ']')
	}
	return text
}

// numeral finds a number in JSON, named a member's name, quoted a name or a text, and element an element of a list with the comma behind it.
var (
	numeral = regexp.MustCompile(`[0-9]+`)
	named   = regexp.MustCompile(`"([a-z_0-9]+)":`)
	quoted  = regexp.MustCompile(`"[^"\\]*"`)
	element = regexp.MustCompile(`[[,](?:[0-9]+|"[a-zé]*"),`)
)

// Rewrite writes JSON in another way, of which some are not JSON, or mean something else.
func (g *Generator) Rewrite(text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	return g.rewriteJSON(text)
}

// rewriteJSON writes JSON in another way, of which some are not JSON, or mean something else.
func (g *Generator) rewriteJSON(text []byte) []byte {
	s := string(text)
	at := g.IntN(len(s))
	replaceOne := func(pattern *regexp.Regexp, by func(found string) string) string {
		all := pattern.FindAllStringIndex(s, -1)
		if all == nil {
			return s
		}
		x := all[g.IntN(len(all))]
		return s[:x[0]] + by(s[x[0]:x[1]]) + s[x[1]:]
	}
	switch g.IntN(13) {
	case 12: // what is nearly an object without members
		return []byte(pickOne(g, "{}", " { }\n", "{", "}", " ", "{}}", "{{}}", "[]", "null", "\"{}\"", "{,}"))
	case 10, 11: // a text that is written in escapes, of which some are none
		s = replaceOne(quoted, func(text string) string {
			return pickOne(g, `"\ud83c\udfb2"`, `"\uD83C\uDFB2"`, `"a\ud83c\udfb2b"`, `"\ud83c"`, `"\udfb2"`, `"\udfb2\ud83c"`,
				`"\udfb2\udfb2"`, `"\ud83c\u0041"`, `"\ud83cA"`, `"\ud83c\n"`, `"\ud83c\ud83c\udfb2"`, `"\ud83c\u"`, `"\ud83g\udfb2"`, `"\udbff\udfff"`,
				`"\ud800\udc00"`, `"\ud83c\udbff"`, `"\ud83c\ue000"`, `"\u00e9\u2028\uffff"`,
				"\"a\tb\"", "\"a\x01\"", "\"a\nb", "\"\x00\"", `"\/\b\f\n\r\t\"\\"`, `"\q"`, `"\u12"`, `"\`,
				`"\u0061`+text[1:])
		})
		if i := strings.LastIndex(s, `\u`); i >= 0 && g.isOneIn(5) { // which ends in an escape
			return []byte(s[:min(len(s), i+g.IntN(14))])
		}
	case 9: // another sign between elements, or none
		s = replaceOne(element, func(text string) string {
			return text[:len(text)-1] + pickOne(g, "", " ", " ", ";", ",,", "]")
		})
	case 8: // another sign between members
		if i := strings.LastIndexAny(s[:at+1], ",:"); i >= 0 {
			s = s[:i] + pickOne(g, " ", ";", ".", "}", ",,") + s[i+1:]
		}
	case 0:
		s = strings.NewReplacer(",", " ,\t", ":", "\n: ", "}", " }").Replace(s)
	case 1:
		s = replaceOne(named, func(name string) string { return fmt.Sprintf(`"\u%04x%s`, name[1], name[2:]) })
	case 2:
		s = replaceOne(named, func(name string) string { return name + "3," + name })
	case 3, 7:
		s = replaceOne(numeral, func(n string) string {
			return pickOne(g, n+".0", n+"e0", "-"+n, "0"+n, n+".", "1e400", n+"0e-1", "9223372036854775807",
				"9223372036854775808",
				"-9223372036854775808", "-9223372036854775809", "+"+n, "0x1", "2.5e1", "1E+1", "-0")
		})
	case 4:
		s = s[:at] + pickOne(g, "{", "}", "[", "]", ",", ":", `"`, `\`,
			"0", "e", "\x01", "é", "\xff", "null", "//") + s[at:]
	case 5:
		s = s[:at] + s[at+1:]
	case 6: // which ends in the memory of what is cut off
		if i := strings.Index(s, pickOne(g, "true", "false")); i >= 0 && g.isOneIn(2) {
			at = i + g.IntN(3)
		}
		return text[:at+1]
	}
	return []byte(s)
}

// replaceRarely returns a value, or once in a while another one.
func (g *Generator) replaceRarely(v any) any {
	if !g.isOneIn(120) {
		return v
	}
	if g.isOneIn(2) { // on either side of a bound
		return pickOne(g, -6, -5, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 20, 21, 50, 51, 100)
	}
	return pickOne[any](g, -1, 1.5, "x", true, nil, []any{}, map[string]any{}, int64(1)<<62, 13, []any{1.5},
		json.RawMessage("0.1000000000000000055511151231257827"), json.RawMessage("123456789012345678901"),
		json.RawMessage("1e-400"),
		map[string]any{"no such": 1, "a_b": nil}, json.RawMessage(`[[{"x":"\ud83c\udfb2\/"}]]`),
		1e300, math.Copysign(0, -1))
}

// replaceAtBound returns, one time in twenty, a value at the bound or beyond it in place of another one.
func (g *Generator) replaceAtBound(v any, beyond ...any) any {
	if !g.isOneIn(20) {
		return g.replaceRarely(v)
	}
	return pickOne(g, beyond...)
}

func (g *Generator) makeField(name string, n int, v func() any) func() (string, any) {
	return func() (string, any) {
		if g.isOneIn(n) {
			return "", nil
		}
		return name, g.replaceRarely(v())
	}
}

// Character makes a character in JSON, of which some do not fit.
func (g *Generator) Character() []byte {
	text := g.makeObject(
		g.makeField("might", 60, func() any { return g.IntN(20) + 1 }),
		g.makeField("grace", 3, func() any { return g.IntN(10) }),
		g.makeField("worn", 2, func() any { return max(0, g.IntN(8)-5) }),
		g.makeField("lucky", 2, func() any { return g.isOneIn(2) }),
		g.makeField("rank", 2, func() any { return pickOne(g, grades...) }),
		g.makeField("name", 2, func() any { return g.makeText() }),
		g.makeField("skills", 2, func() any {
			return map[string]any{pickOne(g, "climb", "swim"): g.replaceAtBound(g.IntN(7), -1, 7), "ride": g.IntN(7)}
		}),
		g.makeField("belt", 2, func() any {
			belt := map[string]any{"full": g.replaceRarely(max(0, g.IntN(6)-2))}
			if g.isOneIn(2) {
				belt["pockets"] = g.replaceRarely(pickOne(g, 0, 3+g.IntN(7), 3+g.IntN(7), 3+g.IntN(7)))
			}
			return belt
		}),
		g.makeField("flask", 2, func() any {
			flask := map[string]any{}
			for range g.IntN(4) {
				flask[pickOne(g, "brim", "brim", "a", "é", "cap")] = g.replaceAtBound(g.IntN(9)+1, 0, 10)
			}
			return flask
		}),
		g.makeField("sip", 2, func() any { return pickOne[any](g, 0, 1, 1, 4, 5, 5, 6, 9, 9.5, 12) }),
		g.makeField("span", 2, func() any {
			low := g.IntN(6)
			return map[string]any{"low": g.replaceAtBound(low, -1, 6), "high": g.replaceAtBound(low+max(1, g.IntN(30)-20), low)}
		}),
		g.makeField("mass", 2, func() any {
			return pickOne[any](g, 2, 0.25, 71.5, 4.096, 1e15, 1e22, 123456.789, 7.654,
				0.123, 12.345)
		}),
		g.makeField("title", 2, func() any { return 1 + g.IntN(5) }))
	return text
}

// Fitting makes a character that fits.
func (g *Generator) Fitting() []byte { return []byte(`{"might":3}`) }

// makeText makes a text, of which most are hostile.
func (g *Generator) makeText() string {
	return pickOne(g, "axe", "mace", "", "é", "zoë \"x\"", "日本", "a\\b", "\u2028", "🎲", "'", "m\x00",
		"\x0b\x1f", "\t\n\r\b\f", "\x7f", "</a>&", "an", "axe and a mace and a bow and a club and a dirk")
}

// Input makes an input of a rule.
func (g *Generator) Input(r Rule) []byte { return g.makeInput(r.asks) }

// Start makes an input of the procedure.
func (g *Generator) Start() []byte { return g.makeInput(g.start) }

// Event makes what comes with an event.
func (g *Generator) Event(event string) []byte { return g.makeInput(g.eventAsk[event]) }

// Options chooses rulings.
func (g *Generator) Options() map[string]string {
	out := map[string]string{}
	if g.isOneIn(2) {
		out["edge"] = pickOne(g, "sharp", "dull")
	}
	if g.isOneIn(2) {
		out["band"] = pickOne(g, "low", "mid", "high")
	}
	return out
}

// Outputs chooses outputs of a rule that are asked for; nil for all.
func (g *Generator) Outputs(r Rule) (out []string) {
	if len(r.Outputs) == 0 || !g.isOneIn(3) {
		return nil
	}
	for _, o := range r.Outputs {
		if g.isOneIn(2) {
			out = append(out, o.Name)
		}
	}
	if out == nil {
		out = []string{pickOne(g, r.Outputs...).Name}
	}
	return out
}

// makeNested makes the input of a rule within that of another one.
func (g *Generator) makeNested(asks []asked) any {
	if text := g.makeInput(asks); json.Valid(text) {
		return json.RawMessage(text)
	}
	return map[string]any{"n": 2}
}

func (g *Generator) makeInput(asks []asked) []byte {
	var members []func() (string, any)
	for _, a := range asks {
		seldom := map[string]int{"n": 60, "must": 60, "cups": 60, "few": 60, "ours": 58}[a.kind] + 2
		members = append(members, g.makeField(a.name, seldom, func() any {
			switch a.kind {
			case "ours":
				return g.makeNested(a.of)
			case "n":
				return min(12, max(1, g.IntN(14))) - g.IntN(10)/9
			case "arm":
				if g.isOneIn(20) {
					return "pike"
				}
				return pickOne(g, arms[:3]...)
			case "grade":
				return pickOne(g, grades...)
			case "xs":
				return []int{g.IntN(7), g.IntN(7), g.IntN(7), g.IntN(7)}[:g.IntN(5)]
			case "part":
				return map[string]any{"of": g.replaceAtBound(g.IntN(5), -1)}
			case "kin":
				kin := map[string]any{"of": g.replaceAtBound(g.IntN(10), -1, 10)}
				if g.isOneIn(2) {
					kin["low"] = g.replaceAtBound(g.IntN(4)-2, 4, 5)
				}
				if g.isOneIn(3) {
					kin["mark"] = g.IntN(5)
				}
				if g.isOneIn(2) {
					kin["tag"] = g.makeText()
				}
				return kin
			case "skill":
				if g.isOneIn(3) {
					return pickOne(g, "climb", "ride", "swim")
				}
				return "none"
			case "foes":
				list := []any{}
				for range g.IntN(4) {
					foe := map[string]any{"level": g.replaceRarely(g.IntN(10)), "wild": g.isOneIn(2)}
					if g.isOneIn(3) {
						foe["mark"] = g.IntN(4)
					}
					list = append(list, foe)
				}
				return list
			case "load":
				return g.replaceAtBound(pickOne[any](g, 1, 0.5, 99.5, 1e-3, 0.375, 12.997, 1e-7, 99.99999999999999, 0.1), 0, 100)
			case "heat":
				if g.isOneIn(20) {
					return pickOne[any](g, -1.5, 1000000.1, 12345678.9, json.RawMessage("9999999.9999999"))
				}
				return pickOne[any](g, 0, -1.4999999999999998, 1e6, 1000000.00000000001, -0.1, 0.00000012,
					json.RawMessage("-0.0"), json.RawMessage("12345"), json.RawMessage("0.12345678"),
					json.RawMessage("999999.9999999"))
			case "kit":
				list := []any{}
				for range g.IntN(3) {
					item := map[string]any{"kind": pickOne(g, arms...), "n": g.replaceRarely(g.IntN(5)),
						"tags": []string{pickOne(g, "b", "é"), "c"}[:g.IntN(3)]}
					if g.isOneIn(2) {
						item["spare"] = g.IntN(9)
					}
					list = append(list, item)
				}
				return list
			case "ratio":
				if g.isOneIn(20) {
					return pickOne(g, 2.501, 0.499)
				}
				return pickOne[any](g, 0.5, 2.5, 1, 2, 1.987, 0.625, 2.4999999999999996)
			case "wide":
				wide := map[string]any{}
				for range g.IntN(5) {
					wide[fmt.Sprintf("f%d", pickOne(g, g.IntN(70), 63, 64, 65, 69))] = g.replaceRarely(g.IntN(6))
				}
				return wide
			case "size":
				return pickOne(g, 4, 6, 8)
			case "label":
				return g.makeText()
			case "purse":
				purse := map[string]any{}
				for range g.IntN(4) {
					coin := pickOne(g, "gold", "a b", "é", "", "x.y", "\"q\"", "silver", "top_up", "Z9", "\x0b")
					purse[coin] = g.replaceRarely(g.IntN(51))
				}
				return purse
			case "marks":
				marks := map[string]any{}
				for range g.IntN(4) {
					marks[pickOne(g, "head", "head", "arm", "b", "é", "headed")] = g.replaceAtBound(g.IntN(10), -1, 4, 5, 10)
				}
				return marks
			case "notes":
				notes := map[string]any{}
				for range g.IntN(4) {
					notes[pickOne(g, "head", "head", "arm", "arm", "b", "b", pickOne(g, "b", "é", "headed"))] = g.replaceAtBound(g.IntN(5), 5, 10)
				}
				return notes
			case "cups":
				cups := map[string]any{}
				if !g.isOneIn(20) {
					cups["brim"] = g.replaceAtBound(1+g.IntN(9), 0, 10)
				}
				for range g.IntN(3) {
					cups[pickOne(g, "rim", "rim", "b", "arm", "é", "rime")] = g.replaceAtBound(g.IntN(4), -1, 4, 9)
				}
				return cups
			case "piles":
				list := []any{}
				for range g.IntN(3) {
					pile := map[string]any{"p": g.replaceAtBound(g.IntN(10), 10)}
					if g.isOneIn(2) {
						pile["q"], pile["s"] = g.replaceAtBound(1+g.IntN(4), 0, 5), g.IntN(9)-4
					}
					list = append(list, pile)
				}
				return list
			case "few":
				return []any{g.IntN(9), g.replaceRarely(g.IntN(9)), g.replaceRarely(g.IntN(9)), 1}[:pickOne(g, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4)]
			case "hold":
				hold := map[string]any{}
				for range g.IntN(3) {
					of := map[string]any{"of": g.replaceAtBound(g.IntN(10), -1, 10)}
					if g.isOneIn(2) {
						of["by"] = g.replaceAtBound(g.IntN(6), 6)
					}
					hold[pickOne(g, "b", "a", "é", "of")] = of
				}
				return hold
			case "spend":
				return g.IntN(4)
			case "names":
				return []string{pickOne(g, "axe", "é"), "b", pickOne(g, "", "b")}[:g.IntN(4)]
			case "pairs":
				list := [][]int{}
				for range g.IntN(3) {
					list = append(list, []int{g.IntN(9), g.IntN(9)}[:g.IntN(3)])
				}
				return list
			case "grid":
				return map[string]any{"top_up": g.replaceAtBound(g.IntN(9), -6, -5, 9), "at": map[string]any{"Deep": g.isOneIn(2)}}
			case "target":
				if text := g.Character(); json.Valid(text) {
					return json.RawMessage(text)
				}
				return map[string]any{"might": 3}
			}
			return g.IntN(9)
		}))
	}
	return g.makeObject(members...)
}
