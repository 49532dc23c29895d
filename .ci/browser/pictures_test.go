package browser

import (
	"bytes"
	"cmp"
	"context"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// pictureColours is how many colours a picture has: pages have few, and the file is small.
const pictureColours = 48

// TestPictures takes the pictures of the README from the running pages, into the directory PICTURES of the environment.
func TestPictures(t *testing.T) {
	dir := os.Getenv("PICTURES")
	if dir == "" {
		t.Skip(".ci/pictures/take sets PICTURES")
	}
	url := serve(t, t.TempDir())
	ctx := open(t)
	emulate(t, ctx, screen{width: 900, height: 680, scheme: "light"})
	visit(t, ctx, url+"/haze/characters")
	eval[any](t, ctx, `document.querySelector("[data-example] button").click()`)
	await(t, ctx, isLoaded+` && document.querySelector(".rolls a.roll") !== null`)
	do(t, ctx, chromedp.EmulateViewport(1180, 860))
	takePicture(t, ctx, filepath.Join(dir, "sheet.png"), "main")
	do(t, ctx, chromedp.EmulateViewport(900, 680))

	visit(t, ctx, url+"/tempestas/try/test?as=ada&asked=yes&in.name=navigation&in.difficulty=hard&dice=71&why=outcome")
	await(t, ctx, `document.querySelector("section.why, .why") !== null`)
	takePicture(t, ctx, filepath.Join(dir, "roll.png"), "main")

	visit(t, ctx, url+"/zones/try/melee_attack")
	weapons := eval[[]string](t, ctx, `[...document.querySelectorAll('[name="in.weapon"] option, input[name="in.weapon"]')]
		.map(x => x.value).filter(x => x)`)
	set(t, ctx, "in.weapon", weapons[0])
	press(t, ctx, `button[value="keep"]`)
	await(t, ctx, isLoaded+` && document.querySelector("input[name=kept]") !== null`)
	set(t, ctx, "in.weapon", weapons[len(weapons)-1])
	await(t, ctx, `document.querySelectorAll("#odds svg .bar.s1").length > 1`)
	do(t, ctx, chromedp.EmulateViewport(900, 1060))
	takePicture(t, ctx, filepath.Join(dir, "settings.png"), "#odds")
}

// takePicture writes what the window shows of an element, in few colours.
func takePicture(t *testing.T, ctx context.Context, file, selector string) {
	t.Helper()
	eval[any](t, ctx, `document.querySelector(".rollbar")?.remove(); document.activeElement?.blur();
		scrollTo({top: document.querySelector("`+selector+`").getBoundingClientRect().top + scrollY - 12, behavior: "instant"})`)
	shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, reduceColours(full)); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 60<<10 {
		t.Errorf("%s has %d bytes", file, out.Len())
	}
	if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// reduceColours returns a picture in the colours that most of its points have; the others take the nearest of these.
func reduceColours(full image.Image) *image.Paletted {
	b := full.Bounds()
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA {
		c := color.RGBAModel.Convert(full.At(x, y)).(color.RGBA)
		c.R, c.G, c.B = c.R&^7|4, c.G&^7|4, c.B&^7|4
		return c
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range colours[:min(pictureColours, len(colours))] {
		palette = append(palette, c)
	}
	out := image.NewPaletted(b, palette)
	nearest := map[color.RGBA]uint8{}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := at(x, y)
			i, known := nearest[c]
			if !known {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	return out
}
