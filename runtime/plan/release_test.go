package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func sampleRelease() *Release {
	return &Release{Plan: sample(), Changelog: "## sample 0.1.0\n", Cases: []File{{"twice.txtar", "rule: twice\n"}}}
}

func TestReleaseKeepsEverything(t *testing.T) {
	want := sampleRelease()
	file := WriteRelease(want)
	got, err := ReadRelease(file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back another release:\n got %+v\nwant %+v", got, want)
	}
	p, err := Read(file)
	if err != nil || Digest(p) != Digest(want.Plan) {
		t.Errorf("the plan of the release is another one: %v", err)
	}
}

// TestPartsDigestWhatTheyHold alters one thing at a time, and wants the digest of just its part to differ.
func TestPartsDigestWhatTheyHold(t *testing.T) {
	for want, alter := range map[string]func(*Release){
		"names":     func(r *Release) { r.Plan.Title = "x" },
		"options":   func(r *Release) { r.Plan.Options[0].ID = "x" },
		"tables":    func(r *Release) { r.Plan.Tables[0].Cells[0]++ },
		"graphs":    func(r *Release) { r.Plan.Rules[0].Graph.Nodes[1].Imm++ },
		"citations": func(r *Release) { r.Plan.Entries[0].Cite = "x" },
		"errata":    func(r *Release) { r.Plan.Errata[0].Why = "x" },
		"changelog": func(r *Release) { r.Changelog += "x" },
		"cases":     func(r *Release) { r.Cases[0].Data += "x" },
	} {
		altered := sampleRelease()
		alter(altered)
		before, after := sampleRelease().Parts(), altered.Parts()
		for i := range before {
			if differs := before[i].Digest != after[i].Digest; differs != (before[i].Name == want) {
				t.Errorf("%s altered: the digest of %s differs: %v", want, before[i].Name, differs)
			}
		}
	}
}

func TestReadReleaseRefuses(t *testing.T) {
	good := WriteRelease(sampleRelease())
	at := func(i int, with byte) []byte {
		out := bytes.Clone(good)
		out[i] ^= with
		return out
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"nothing":       {nil, ErrNotPlan.Error()},
		"a plan":        {Write(sample()), ErrNotPlan.Error()},
		"header":        {good[:20], ErrDamaged.Error()},
		"newer":         {at(len(releaseMagic), 0x80), "use a newer program"},
		"directory":     {at(releaseHeader+3, 1), ErrDamaged.Error()},
		"a part":        {at(len(good)-1, 1), "part cases"},
		"cut":           {good[:len(good)-1], "part cases"},
		"more":          {append(bytes.Clone(good), 0), "1 bytes are left over"},
		"huge size":     {at(releaseHeader-1, 0xff), ErrDamaged.Error()},
		"another order": {signedRelease(sampleRelease(), func(p []Part) { p[0].Name = "graphs" }), `part 1 is "graphs"`},
		"a wrong size":  {signedRelease(sampleRelease(), func(p []Part) { p[0].Size = 1 << 30 }), "part names"},
		"less than 0":   {signedRelease(sampleRelease(), func(p []Part) { p[0].Size = -1 }), "part 1"},
		"no plan":       {WriteRelease(&Release{Plan: &Plan{}}), "symbol 0"},
	} {
		if _, err := ReadRelease(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestEveryTruncatedReleaseIsRefused(t *testing.T) {
	good := WriteRelease(sampleRelease())
	for n := range good {
		if _, err := Read(good[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were read as a release", n, len(good))
		}
	}
}

// TestEveryBitOfAReleaseCounts changes one bit at a time: nothing of it is read, whichever it is.
func TestEveryBitOfAReleaseCounts(t *testing.T) {
	good := WriteRelease(sampleRelease())
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if _, err := Read(bad); err == nil {
			t.Fatalf("a release with another bit in byte %d was read", i)
		}
	}
}

// signedRelease writes a release with another directory, whose digest is right.
func signedRelease(r *Release, alter func([]Part)) []byte {
	parts, body := r.encode()
	alter(parts)
	c := &codec{writing: true}
	list(c, &parts, c.part)
	return append(headed(c.buf), body...)
}

// headed puts a valid header before a directory.
func headed(directory []byte) []byte {
	digest := sha256.Sum256(directory)
	out := binary.LittleEndian.AppendUint32([]byte(releaseMagic), Version)
	out = append(out, digest[:]...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(directory))), directory...)
}

// FuzzReadRelease reads arbitrary parts behind directories that vouch for them.
func FuzzReadRelease(f *testing.F) {
	parts, body := sampleRelease().encode()
	cut := parts[0].Size
	f.Add(body[:cut], body[cut:], uint8(0))
	f.Add([]byte{}, []byte{}, uint8(3))
	f.Fuzz(func(t *testing.T, one, rest []byte, which uint8) {
		parts := sampleRelease().Parts()
		i := int(which) % len(parts)
		_, body := sampleRelease().encode()
		at := 0
		for _, p := range parts[:i] {
			at += p.Size
		}
		altered := append(bytes.Clone(body[:at]), append(bytes.Clone(one), body[at+parts[i].Size:]...)...)
		parts[i].Size, parts[i].Digest = len(one), sha256.Sum256(one)
		c := &codec{writing: true}
		list(c, &parts, c.part)
		readAgain(t, append(headed(c.buf), altered...))
		readAgain(t, append(headed(rest), one...))
	})
}

// readAgain holds that whatever is read can be written and read again.
func readAgain(t *testing.T, file []byte) {
	r, err := ReadRelease(file)
	if err != nil {
		return
	}
	again, err := ReadRelease(WriteRelease(r))
	if err != nil || Digest(again.Plan) != Digest(r.Plan) {
		t.Fatalf("what was read cannot be read again: %v", err)
	}
}

func TestErrorsOfReleasesAreThoseOfPlans(t *testing.T) {
	good := WriteRelease(sampleRelease())
	if _, err := Read(good[:len(good)-1]); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
}
