package planfile

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plan/plantest"
)

// sampleInstructions are instructions like no others for each body.
func sampleInstructions(b plan.Body) []byte { return []byte(b.Title) }

// files are files of the sample, by what they are.
func files() map[string][]byte {
	return map[string][]byte{
		"plan": Write(plantest.Sample(), nil), "plan with instructions": Write(plantest.Sample(), sampleInstructions),
		"release": WriteRelease(sampleRelease(), nil), "release with instructions": WriteRelease(sampleRelease(), sampleInstructions),
	}
}

func TestFileKeepsEverything(t *testing.T) {
	withFunctions := plantest.Sample() // as a plan that is made to play cases
	withFunctions.Functions = withFunctions.Rules
	for _, want := range []*plan.Plan{plantest.Sample(), plantest.Everything(), withFunctions} {
		got, err := Read(Write(want, nil))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("read back another plan:\n got %+v\nwant %+v", got, want)
		}
		if Digest(got) != Digest(want) {
			t.Error("the digest of the plan that was read differs")
		}
	}
}

func TestReadRefuses(t *testing.T) {
	good := Write(plantest.Sample(), nil)
	at := func(i int, with byte) []byte {
		out := bytes.Clone(good)
		out[i] ^= with
		return out
	}
	head := len(planMagic) + headSize
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"nothing":       {nil, ErrNotPlan.Error()},
		"text":          {[]byte("package rules"), ErrNotPlan.Error()},
		"header":        {good[:20], ErrDamaged.Error()},
		"newer":         {at(len(planMagic), 0x80), "use a newer program"},
		"older":         {at(len(planMagic), Version), "build it again"},
		"directory":     {at(head+3, 1), ErrDamaged.Error()},
		"huge size":     {at(head-1, 0xff), ErrDamaged.Error()},
		"a part":        {at(len(good)-1, 1), "part citations"},
		"cut":           {good[:len(good)-1], "part citations"},
		"more":          {append(bytes.Clone(good), 0), "1 bytes are left over"},
		"another order": {redirected(func(p []Part) { p[0].Name = "graphs" }), `part 1 is "graphs", not "names"`},
		"another rule":  {redirected(func(p []Part) { p[5].Name = "rules" }), "it has 7 parts, not 6"},
		"a wrong size":  {redirected(func(p []Part) { p[0].Size = 1 << 30 }), "part names"},
		"less than 0":   {redirected(func(p []Part) { p[0].Size = -1 }), "part names"},
		"no plan":       {Write(&plan.Plan{}, nil), "symbol 0"},
	} {
		if _, err := Read(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if _, err := Read(at(len(planMagic), 0x80)); !errors.As(err, new(*VersionError)) {
		t.Errorf("newer: got %v, want a *VersionError", err)
	}
	if _, err := Read(good[:len(good)-1]); !errors.Is(err, ErrDamaged) {
		t.Errorf("cut: got %v, want ErrDamaged", err)
	}
}

// redirected is the sample with another directory, whose digest is right.
func redirected(alter func([]Part)) []byte {
	parts, body := encodeSections(planSections(plantest.Sample()))
	alter(parts)
	return append(prependHead(planMagic, encodeDirectory(parts)), body...)
}

func TestEveryTruncationIsRefused(t *testing.T) {
	for name, good := range files() {
		for n := range good {
			if _, err := Read(good[:n]); err == nil {
				t.Fatalf("%s: the first %d of %d bytes were read", name, n, len(good))
			}
		}
	}
}

// TestEveryBitCounts changes one bit at a time: nothing of the file is read, whichever it is.
func TestEveryBitCounts(t *testing.T) {
	for name, good := range files() {
		for i := range good {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << (i % 8)
			if _, err := Read(bad); err == nil {
				t.Fatalf("%s: with another bit in byte %d it was read", name, i)
			}
		}
	}
}

// withProcedure is the sample with a procedure of one event.
func withProcedure() *plan.Plan {
	p := plantest.Sample()
	state := plan.Value{Type: (&plan.Shape{Kind: plan.Record}).Type(), ID: plan.None, Fault: plan.None, Present: plan.None}
	step := plan.Graph{Blocks: []plan.Block{{}}, Outputs: state,
		When: plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None}}
	closing := step
	step.Next = []plan.Value{state, state}
	empty := &plan.Shape{Kind: plan.Record}
	p.Procedures = []plan.Procedure{{ID: "hunt", Cite: "chapter 2", Input: empty, State: empty, Start: step, Close: closing,
		Events: []plan.Event{{ID: "track", Input: empty, Graph: step}}}}
	return p
}

// TestCutReadsWhatIsAskedFor wants of a plan what is named, and what all rules and procedures need.
func TestCutReadsWhatIsAskedFor(t *testing.T) {
	whole := withProcedure()
	a, err := opened(Write(whole, sampleInstructions))
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Names(); !slices.Equal(got, []string{"twice", "hunt"}) {
		t.Errorf("the names are %v", got)
	}
	for _, names := range [][]string{nil, {"twice"}, {"hunt"}, {"hunt", "twice"}, {"x"}} {
		want := withProcedure()
		if !slices.Contains(names, "twice") {
			want.Rules = nil
		}
		if !slices.Contains(names, "hunt") {
			want.Procedures = nil
		}
		p, err := a.CutCited(names...)
		if err != nil || !reflect.DeepEqual(p, want) {
			t.Fatalf("%v with citations: got %+v, %v", names, p, err)
		}
		want.Entries, want.Readings = nil, nil
		p, err = a.Cut(names...)
		if err != nil || !reflect.DeepEqual(p, want) {
			t.Fatalf("%v: got %+v, %v", names, p, err)
		}
		instructions, err := a.Instructions(p)
		if err != nil || len(instructions) != len(p.Bodies()) {
			t.Errorf("%v: there are instructions of %d graphs, %v", names, len(instructions), err)
		}
		for _, b := range p.Bodies() {
			if !bytes.Equal(instructions[b.Graph], sampleInstructions(b)) {
				t.Errorf("%v: the instructions of %s are %v", names, b.Title, instructions[b.Graph])
			}
		}
	}
}

// TestCutRefusesOnlyWhatIsAskedFor damages one part at a time: whoever reads it is told so, and nobody else.
func TestCutRefusesOnlyWhatIsAskedFor(t *testing.T) {
	good := Write(withProcedure(), sampleInstructions)
	a, err := opened(good)
	if err != nil {
		t.Fatal(err)
	}
	end := len(good)
	for _, part := range slices.Backward(append(planSections(withProcedure()),
		Instructions(sampleInstructions).listSections(withProcedure())...)) {
		bad := bytes.Clone(good)
		end -= a.parts[a.indices[part.name]].Size
		bad[end] ^= 1
		if _, err := Read(bad); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: all was read, %v", part.name, err)
		}
		for id, needed := range map[string]bool{
			"twice": !slices.Contains([]string{"procedure hunt", "instructions of procedure hunt", "citations"}, part.name),
			"hunt":  !slices.Contains([]string{"rule twice", "instructions of rule twice", "citations"}, part.name),
		} {
			if err := readOne(t, bad, id); errors.Is(err, ErrDamaged) != needed {
				t.Errorf("%s is damaged: reading %s gives %v", part.name, id, err)
			}
		}
	}
}

func opened(file []byte) (*Archive, error) { return Open(bytes.NewReader(file), int64(len(file))) }

func readOne(t *testing.T, file []byte, id string) error {
	a, err := opened(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Cut(id)
	if err == nil {
		_, err = a.Instructions(p)
	}
	return err
}

// TestInstructionsAreNoPartOfTheDigest writes a plan with instructions and without.
func TestInstructionsAreNoPartOfTheDigest(t *testing.T) {
	for name, file := range files() {
		p, err := Read(file)
		if err != nil || Digest(p) != Digest(plantest.Sample()) {
			t.Errorf("%s: the digest differs, %v", name, err)
		}
	}
}

// TestFileDigestCoversInstructions alters the instructions alone. What the plan says stays the same and so does its digest;
// the file is another one.
func TestFileDigestCoversInstructions(t *testing.T) {
	for name, write := range map[string]func(Instructions) []byte{
		"plan":    func(w Instructions) []byte { return Write(plantest.Sample(), w) },
		"release": func(w Instructions) []byte { return WriteRelease(sampleRelease(), w) },
	} {
		var digests [][sha256.Size]byte
		for _, w := range []Instructions{nil, sampleInstructions, func(b plan.Body) []byte { return append(sampleInstructions(b), 0) }} {
			file := write(w)
			a, err := opened(file)
			if err != nil {
				t.Fatal(err)
			}
			if p, err := Read(file); err != nil || Digest(p) != Digest(plantest.Sample()) {
				t.Errorf("%s: the plan says something else, %v", name, err)
			}
			if slices.Contains(digests, a.Digest()) {
				t.Errorf("%s: two files with other instructions have one digest", name)
			}
			digests = append(digests, a.Digest())
		}
	}
}

// TestStringsStandOnce wants a part with one string a thousand times to be little longer than with one.
func TestStringsStandOnce(t *testing.T) {
	const text = "a text that is somewhat longer"
	p := plantest.Sample()
	p.Entries = slices.Repeat([]plan.Entry{{ID: text, Cite: text}}, 1000)
	parts, _ := encodeSections(planSections(p))
	got := parts[len(parts)-1].Size
	fields := 1000 * reflect.TypeFor[plan.Entry]().NumField() * 3 // at most: a place has three
	if got > fields+len(text) {
		t.Errorf("%d bytes", got)
	}
	again, err := Read(Write(p, nil))
	if err != nil || !reflect.DeepEqual(again.Entries, p.Entries) {
		t.Errorf("the entries differ, %v", err)
	}
}

// TestAlteredPartsAreReadOrRefused alters each byte of each part in several ways, mends the digests, and wants the plan to
// be refused or to be one that can be printed and written again: an author of a file may put any number anywhere.
func TestAlteredPartsAreReadOrRefused(t *testing.T) {
	p := plantest.Everything()
	if err := plan.Verify(p); err != nil {
		t.Fatal(err)
	}
	parts, body := encodeSections(planSections(p))
	values := []byte{0, 18, 0x7f} // 18 is how the first kind behind the last one is written
	if testing.Short() {
		values = values[1:2]
	}
	at, refused := 0, 0
	for i := range parts {
		part := body[at : at+parts[i].Size]
		for k := range part {
			for _, with := range append([]byte{part[k] + 2}, values...) {
				altered := bytes.Clone(part)
				altered[k] = with
				if !readMended(t, parts, body, i, altered) {
					refused++
				}
			}
		}
		at += parts[i].Size
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// readMended reads a file in which one part was replaced, with digests that are right. It reports whether it was accepted.
func readMended(t *testing.T, parts []Part, body []byte, i int, part []byte) bool {
	mended := slices.Clone(parts)
	at := 0
	for _, p := range parts[:i] {
		at += p.Size
	}
	mended[i].Size, mended[i].Digest = len(part), sha256.Sum256(part)
	file := slices.Concat(prependHead(planMagic, encodeDirectory(mended)), body[:at], part, body[at+parts[i].Size:])
	p, err := Read(file)
	if err != nil {
		return false
	}
	for _, b := range p.Bodies() {
		if err := p.Print(io.Discard, b.Title, b.Graph); err != nil {
			t.Fatal(err)
		}
	}
	Write(p, nil)
	return true
}

// FuzzRead puts arbitrary bytes in the place of one part, behind a directory that vouches for them, and in that of the
// directory itself.
func FuzzRead(f *testing.F) {
	parts, body := encodeSections(sampleRelease().listSections(extras{words: true}, true))
	at := 0
	for i, p := range parts {
		f.Add(body[at:at+p.Size], uint8(i))
		at += p.Size
	}
	f.Add(encodeDirectory(parts), uint8(0xff))
	f.Fuzz(func(t *testing.T, part []byte, which uint8) {
		r := sampleRelease()
		parts, body := encodeSections(withInstructions(r.listSections(extras{words: true}, true), r.Plan, sampleInstructions))
		readAgain(t, append(prependHead(releaseMagic, part), body...))
		i, at := int(which)%len(parts), 0
		for _, p := range parts[:i] {
			at += p.Size
		}
		body = slices.Replace(body, at, at+parts[i].Size, part...)
		parts[i].Size, parts[i].Digest = len(part), sha256.Sum256(part)
		readAgain(t, append(prependHead(releaseMagic, encodeDirectory(parts)), body...))
	})
}

// readAgain holds that whatever is read can be written and read again, and that reading by pieces reads no less.
func readAgain(t *testing.T, file []byte) {
	r, err := ReadRelease(file)
	if err != nil {
		return
	}
	again, err := ReadRelease(WriteRelease(r, nil))
	if err != nil || Digest(again.Plan) != Digest(r.Plan) {
		t.Fatalf("what was read cannot be read again: %v", err)
	}
	a, err := opened(file)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := a.Cut(a.Names()...); err != nil || len(p.Bodies()) != len(r.Plan.Bodies()) {
		t.Fatal(err)
	}
}
