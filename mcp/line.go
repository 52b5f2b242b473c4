package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is the longest line that is taken from a client, in bytes. The longest
// that makes sense has a few kilobytes.
const maxLine = 1 << 20

// A line is one that was read: whole, or longer than is taken.
type line struct {
	data    []byte
	tooLong bool
}

// readLine reads a line, and passes over what is more of it than is taken.
func readLine(r *bufio.Reader) (line, error) {
	var read line
	for {
		part, err := r.ReadSlice('\n')
		if len(read.data)+len(part) > maxLine {
			read.data, read.tooLong = nil, true
		}
		if !read.tooLong {
			read.data = append(read.data, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			read.data = bytes.TrimSpace(read.data)
			return read, err
		}
	}
}

// message decodes a line. What is none comes with the answer that it gets.
func (read line) message() (jsonrpc.Message, *jsonrpc.Response) {
	if read.tooLong {
		return nil, refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line is longer than %d bytes", maxLine))
	}
	if !json.Valid(read.data) {
		return nil, refuse(jsonrpc.ID{}, jsonrpc.CodeParseError, "the line is not JSON")
	}
	if read.data[0] == '[' {
		return nil, refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "batches are not taken: send a message a line")
	}
	id, ok := idOf(read.data)
	if !ok {
		return nil, refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "the message is not an object whose id, if it has one, is a string or a whole number")
	}
	message, err := jsonrpc.DecodeMessage(read.data)
	if err != nil {
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, "the line is not a JSON-RPC 2.0 message")
	}
	return message, nil
}

// maxID is the largest number of which no JSON reader takes another for it.
const maxID = 1 << 53

// idOf gives the id of a message; none is an id too, unlike one that is null or that
// an answer could not repeat.
func idOf(data []byte) (jsonrpc.ID, bool) {
	var message map[string]json.RawMessage
	if json.Unmarshal(data, &message) != nil || message == nil {
		return jsonrpc.ID{}, false
	}
	raw, ok := message["id"]
	if !ok {
		return jsonrpc.ID{}, true
	}
	return idFrom(raw)
}

func idFrom(raw json.RawMessage) (jsonrpc.ID, bool) {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return jsonrpc.ID{}, false
	}
	switch v := value.(type) {
	case string:
	case float64:
		if v != math.Trunc(v) || math.Abs(v) > maxID {
			return jsonrpc.ID{}, false
		}
	default:
		return jsonrpc.ID{}, false
	}
	id, err := jsonrpc.MakeID(value)
	return id, err == nil
}

func refuse(id jsonrpc.ID, code int64, message string) *jsonrpc.Response {
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: code, Message: message}}
}
