package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"math/big"
	"os"
	"os/exec"
)

// poolsInPython are the problems for icepool.
//
//go:embed icepool/pools.py
var poolsInPython string

// A peerAnswer is what icepool says to a problem.
type peerAnswer struct {
	Name string  `json:"name"`
	Ms   float64 `json:"ms"`
	Mean string  `json:"mean"` // a fraction
}

// mean is the mean as a float; 0 of no answer.
func (a peerAnswer) mean() float64 {
	r, ok := new(big.Rat).SetString(a.Mean)
	if !ok {
		return 0
	}
	f, _ := r.Float64()
	return f
}

// runIcepool answers the problems with icepool, by their names; none where $PYTHON (python3) does not find it.
// PYTHONPATH may lead to its sources.
func runIcepool() map[string]peerAnswer {
	python := os.Getenv("PYTHON")
	if python == "" {
		python = "python3"
	}
	text, err := exec.Command(python, "-c", poolsInPython).Output()
	if err != nil {
		return nil
	}
	out := map[string]peerAnswer{}
	for line := range bytes.Lines(text) {
		var a peerAnswer
		if json.Unmarshal(line, &a) == nil {
			out[a.Name] = a
		}
	}
	return out
}
