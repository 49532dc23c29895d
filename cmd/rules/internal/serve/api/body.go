package api

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// readBody reads the JSON object of a question.
//
// The size is bounded before, by the guard, whose reader gives a MaxBytesError here when a body
// goes on.
func readBody(r *http.Request, into any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return bodyError(err)
	}
	_, err := d.Token() // More would take a lone } or ] for the end
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLong
	}
	if err != io.EOF {
		return badRequest("there is more text after the object")
	}
	return nil
}

// bodyError says of JSON that cannot be read whether it is too long.
func bodyError(err error) error {
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return e
	}
	return badRequest(err.Error())
}
