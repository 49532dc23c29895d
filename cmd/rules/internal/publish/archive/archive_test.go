package archive

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestPackIsTheSameEverywhere holds the bytes of an archive by their digest, as GNU tar and sha256sum give it:
//
//	printf one >a.cue; mkdir b; printf two >b/c.txt
//	tar --format=ustar --numeric-owner --owner=:0 --group=:0 --mode=644 --mtime=@0 -b1 -cf - a.cue b/c.txt | sha256sum
func TestPackIsTheSameEverywhere(t *testing.T) {
	tree := fstest.MapFS{
		"b/c.txt":     {Data: []byte("two"), Mode: 0o600, ModTime: time.Now()},
		"a.cue":       {Data: []byte("one"), Mode: 0o755},
		".git/config": {Data: []byte("not for others")},
		"b/.swp":      {Data: []byte("not for others")},
	}
	const wantSum = "a04e7aea1fd35075bab47089e5cd988fc14d046e33a6d6c46ea6534dcb6e94c5"
	data, err := PackTree(tree)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); got != wantSum {
		t.Errorf("the digest is %s, want %s", got, wantSum)
	}
	files, err := Unpack(data)
	if err != nil || len(files) != 2 || files[0].Name != "a.cue" || string(files[1].Data) != "two" {
		t.Errorf("got %q, %v", files, err)
	}
}

// tarOf writes a tar file by headers, each with a byte of contents where its size asks for one.
func tarOf(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, h := range headers {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, h.Size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func regular(name string) tar.Header {
	return tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: 1}
}

func TestUnpackRefuses(t *testing.T) {
	executable := regular("a")
	executable.Mode = 0o755
	dated := regular("a")
	dated.ModTime = time.Unix(1, 0)
	honest := tarOf(t, regular("a"))
	for what, x := range map[string]struct {
		data []byte
		want string
	}{
		"a way out":           {tarOf(t, regular("../a")), "no path"},
		"a way out below":     {tarOf(t, regular("a/../../b")), "no path"},
		"an absolute path":    {tarOf(t, regular("/etc/passwd")), "no path"},
		"a backslash":         {tarOf(t, regular(`..\a`)), "no path"},
		"a drive":             {tarOf(t, regular("c:a")), "no path"},
		"a device of Windows": {tarOf(t, regular("golden/aux.txtar")), "no path"},
		"a hidden file":       {tarOf(t, regular("a/.bashrc")), "hidden"},
		"a hidden directory":  {tarOf(t, regular(".git/hooks")), "hidden"},
		"a link": {tarOf(t, tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: "/etc/passwd"}),
			"no regular file"},
		"a hard link": {tarOf(t, regular("a"), tar.Header{Typeflag: tar.TypeLink, Name: "b", Linkname: "a"}),
			"no regular file"},
		"a directory":           {tarOf(t, tar.Header{Typeflag: tar.TypeDir, Name: "a/"}), "no regular file"},
		"a device":              {tarOf(t, tar.Header{Typeflag: tar.TypeChar, Name: "a"}), "no regular file"},
		"twice the same":        {tarOf(t, regular("a"), regular("a")), "stands after"},
		"another order":         {tarOf(t, regular("b"), regular("a")), "stands after"},
		"one name but for case": {tarOf(t, regular("A/x"), regular("a/y")), "one name on some systems"},
		"a file as a directory": {tarOf(t, regular("a"), regular("a/b")), "one name on some systems"},
		"a mode":                {tarOf(t, executable), "more in it than its files"},
		"a time":                {tarOf(t, dated), "more in it than its files"},
		"more behind the end":   {append(bytes.Clone(honest), make([]byte, 512)...), "more in it than its files"},
		"no end":                {honest[:len(honest)-1], "no archive"},
		"nothing":               {tarOf(t), "there are no files"},
		"no tar file":           {[]byte(strings.Repeat("rules", 200)), "no archive"},
	} {
		if files, err := Unpack(x.data); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %d files, %v, want %q", what, len(files), err, x.want)
		}
	}
	if _, err := Unpack(honest); err != nil {
		t.Errorf("the honest one: %v", err)
	}
}

// TestSizesAreBounded declares sizes that the bytes do not have: nothing of that size is allocated.
func TestSizesAreBounded(t *testing.T) {
	huge := tarOf(t, regular("a"))
	copy(huge[124:136], "77777777777\x00") // 8 GiB
	if _, err := Unpack(huge); err == nil {
		t.Error("a file of 8 GiB is unpacked")
	}
	var many []tar.Header
	for range maxFiles + 1 {
		many = append(many, regular("a"))
	}
	if _, err := Unpack(tarOf(t, many...)); err == nil || !strings.Contains(err.Error(), "more than 4096 files") {
		t.Errorf("got %v", err)
	}
	tree := fstest.MapFS{}
	for _, name := range strings.Fields("a b c d e") {
		tree[name] = &fstest.MapFile{Data: make([]byte, 15<<20)}
	}
	if _, err := PackTree(tree); err == nil || !strings.Contains(err.Error(), "larger than 64 MiB") {
		t.Errorf("got %v", err)
	}
}

func TestPackRefusesLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "a")); err != nil {
		t.Skip(err)
	}
	if _, err := PackTree(os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("got %v", err)
	}
	if _, err := PackTree(fstest.MapFS{"a:b": {Data: nil}}); err == nil {
		t.Error("a name that Windows has not is packed")
	}
	if _, err := PackTree(fstest.MapFS{"d": {Mode: fs.ModeDir}}); err == nil {
		t.Error("nothing is packed")
	}
}

func FuzzUnpack(f *testing.F) {
	data, err := packFiles([]File{{"a.cue", []byte("one")}, {"b/c.txt", []byte("two")}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := Unpack(data)
		if err != nil {
			return
		}
		for _, file := range files {
			if !filepath.IsLocal(filepath.FromSlash(file.Name)) {
				t.Errorf("%q lies outside", file.Name)
			}
		}
	})
}
