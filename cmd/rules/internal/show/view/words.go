package view

import (
	"encoding/json"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/say"
)

// AppendWords returns a sheet in JSON with the member "words": the answer as people read it, and the labels of its outputs.
func (n *Notes) AppendWords(sheet []byte) (json.RawMessage, error) {
	members, err := jsontext.Members(sheet)
	if err != nil {
		return nil, err
	}
	labels := map[string]string{}
	for _, m := range members {
		if m.Name != "output" {
			continue
		}
		outputs, err := jsontext.Members(m.Value)
		if err != nil {
			return nil, err
		}
		for _, o := range outputs {
			labels[o.Name] = n.nameOf(o.Name)
		}
	}
	text, err := json.Marshal(struct {
		say.Told
		Labels map[string]string `json:"labels"`
	}{n.Told, labels})
	if err != nil {
		return nil, err
	}
	return jsontext.Join(append(members, jsontext.Member{Name: "words", Value: text})), nil
}
