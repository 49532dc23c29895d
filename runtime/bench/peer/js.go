package peer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/tabletop-rules/rules/runtime/bench/record"
	"github.com/tabletop-rules/rules/runtime/emit/js"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Goja is the record in goja, a JavaScript engine in Go.
type Goja struct {
	vm   *goja.Runtime
	blow func(map[string]any) map[string]any
}

// NewGoja loads the script.
func NewGoja() (*Goja, error) {
	g := &Goja{vm: goja.New()}
	if _, err := g.vm.RunString(javaScript); err != nil {
		return nil, err
	}
	return g, g.vm.ExportTo(g.vm.Get("blow"), &g.blow)
}

// Eval implements Evaluator.
func (g *Goja) Eval(in *record.Input, out *record.Output) error {
	return fromMap(g.blow(variables(in)), out)
}

// fromMap reads an output of whatever numbers.
func fromMap(m map[string]any, o *record.Output) error {
	for name, v := range m {
		switch v := v.(type) {
		case int64:
			if p := o.Int(name); p != nil {
				*p = v
			} else {
				o.Multiplier = float64(v)
			}
		case float64:
			if p := o.Int(name); p != nil {
				*p = int64(v)
			} else {
				o.Multiplier = v
			}
		case json.Number:
			f, err := v.Float64()
			if err != nil {
				return err
			}
			return fmt.Errorf("a number of text: %g", f)
		case bool:
			o.Success = v
		case string:
			*o.Text(name) = v
		}
	}
	return nil
}

// A Node is the record in V8, run by Node in a process of its own that times itself.
type Node struct {
	in      io.WriteCloser
	out     *bufio.Reader
	process *exec.Cmd
	dir     string
}

// NewNode starts Node with the record in plain JavaScript; it fails when Node is not installed.
func NewNode(inputs []record.Input) (*Node, error) {
	return startNode(inputs, []js.File{{Name: "serve.js", Text: javaScript + serveScript}})
}

// NewGeneratedNode starts Node with the record's generated rule. checked says that the fields of a record are checked in
// each evaluation, and not before.
func NewGeneratedNode(inputs []record.Input, checked bool) (*Node, error) {
	p, err := record.Plan()
	if err != nil {
		return nil, err
	}
	way := "run"
	if checked {
		way = "check"
	}
	files := js.Generate(p, nil, []*plan.Rule{p.Rule("blow")}, nil)
	return startNode(inputs, append([]js.File{{Name: "serve.mjs", Text: generatedScript}}, files...), way)
}

// startNode starts Node with the first of some files, which gets the inputs and further arguments.
func startNode(inputs []record.Input, files []js.File, args ...string) (*Node, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(inputs)
	if err != nil {
		return nil, err
	}
	if len(args) > 0 { // the modules have the names of ES modules only by this
		files = append(files, js.File{Name: "package.json", Text: `{"type": "module"}`})
	}
	for _, f := range append(files, js.File{Name: "inputs.json", Text: string(data)}) {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, []byte(f.Text), 0o600); err != nil {
			return nil, err
		}
	}
	args = append([]string{filepath.Join(dir, files[0].Name), filepath.Join(dir, "inputs.json")}, args...)
	n := &Node{process: exec.Command("node", args...), dir: dir}
	if n.in, err = n.process.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := n.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	n.out = bufio.NewReaderSize(stdout, 1<<20)
	return n, n.process.Start()
}

// Close ends the process.
func (n *Node) Close() error {
	n.in.Close()
	err := n.process.Wait()
	os.RemoveAll(n.dir)
	return err
}

func (n *Node) ask(line string) (string, error) {
	if _, err := fmt.Fprintln(n.in, line); err != nil {
		return "", err
	}
	answer, err := n.out.ReadString('\n')
	return strings.TrimSpace(answer), err
}

// All are the outputs of all inputs.
func (n *Node) All() (out []record.Output, err error) {
	text, err := n.ask("check")
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal([]byte(text), &out)
}

// Time is how long the first so many inputs take.
func (n *Node) Time(records int) (time.Duration, error) {
	text, err := n.ask(strconv.Itoa(records))
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseInt(text, 10, 64)
	return time.Duration(ns), err
}
