package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/webarea/webarea/provider"
)

// The codes of failures that are told here, besides the provider's own.
const (
	CodeUnknownInstance provider.Code = "unknown_instance" // no such run of a provider
	CodeBudget          provider.Code = "budget"           // the answer does not fit what was allowed
	CodeTimeout         provider.Code = "timeout"          // there was no answer in time
)

var tooLong = &provider.Error{
	Code:    CodeTimeout,
	Message: "there was no answer in time",
	Mend:    "ask for less, or ask again later",
}

// failure is a failure as a tool's result.
func failure(e *provider.Error) (*Result, error) {
	told := map[string]any{"code": e.Code, "message": e.Message, "suggestion": e.Mend}
	for name, more := range e.More {
		told[name] = more
	}
	structured, err := encode(told)
	if err != nil {
		return nil, err
	}
	return &Result{Structured: structured, Text: fmt.Sprintf("%s: %s", e.Code, e), Failed: true}, nil
}

// missing are the codes of failures that say of a resource that there is none.
var missing = map[provider.Code]bool{
	provider.CodeUnknownID: true,
	provider.CodeGone:      true,
	provider.CodeInvalid:   true,
	CodeUnknownInstance:    true,
}

// refusal is an error of reading a resource as an error of the protocol.
func refusal(uri string, err error) error {
	var told *provider.Error
	if !errors.As(err, &told) {
		return err
	}
	code := int64(jsonrpc.CodeInternalError)
	if missing[told.Code] {
		code = jsonrpc.CodeInvalidParams
	}
	data, err := encode(struct {
		URI        string        `json:"uri,omitempty"`
		Code       provider.Code `json:"code"`
		Suggestion string        `json:"suggestion,omitempty"`
	}{uri, told.Code, told.Mend})
	if err != nil {
		return err
	}
	return &jsonrpc.Error{Code: code, Message: told.Error(), Data: data}
}

// encode gives the JSON of a value with angle brackets and ampersands as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
