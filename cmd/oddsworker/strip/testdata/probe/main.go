// Command probe does what needs the tables of functions: it grows a stack and collects garbage below deep frames, recovers
// from panics, runs deferred calls, and switches between goroutines. It ends by a panic.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
)

type tree struct {
	left, right *tree
	name        string
}

func grow(depth int) *tree {
	var frame [64]int
	frame[depth%64] = depth
	if depth%1000 == 0 {
		runtime.GC()
	}
	if depth == 0 {
		return &tree{name: "leaf"}
	}
	t := &tree{left: grow(depth - 1), name: fmt.Sprint(frame[depth%64])}
	if depth%7 == 0 {
		t.right = &tree{name: t.name + "!"}
	}
	return t
}

func (t *tree) size() (nodes, bytes int) {
	for ; t != nil; t = t.left {
		nodes, bytes = nodes+1, bytes+len(t.name)
		if t.right != nil {
			nodes, bytes = nodes+1, bytes+len(t.right.name)
		}
	}
	return nodes, bytes
}

func indexOrError(list []int, i int) (v int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	defer fmt.Println("deferred", i)
	return list[i], nil
}

func main() {
	t := grow(20000)
	runtime.GC()
	fmt.Println(t.size())
	for _, i := range []int{1, 7} {
		fmt.Println(indexOrError([]int{3, 4, 5}, i))
	}
	words := make(chan string)
	for i := range 5 {
		go func() { words <- fmt.Sprint("word ", i) }()
	}
	var all []string
	for range 5 {
		all = append(all, <-words)
	}
	slices.Sort(all)
	fmt.Println(all)
	panic(errors.New("the last words"))
}
