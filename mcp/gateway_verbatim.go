package mcp

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// verbatim is a client's transport that keeps the structured content of results as it
// came: the SDK would decode it, and numbers that it takes for fractions are others
// afterwards. It puts a string in its place that has the text; asItCame takes it out.
type verbatim struct{ sdk.Transport }

// Connect implements sdk.Transport.
func (v *verbatim) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := v.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &verbatimConn{c}, nil
}

type verbatimConn struct{ sdk.Connection }

// structuredMember is the member of a result that is kept.
const structuredMember = "structuredContent"

// Read implements sdk.Connection.
func (c *verbatimConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	response, ok := message.(*jsonrpc.Response)
	if err != nil || !ok || len(response.Result) == 0 {
		return message, err
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(response.Result, &members) != nil || members[structuredMember] == nil {
		return message, nil
	}
	text, err := json.Marshal(string(members[structuredMember]))
	if err != nil {
		return nil, err
	}
	members[structuredMember] = text
	if response.Result, err = json.Marshal(members); err != nil {
		return nil, err
	}
	return message, nil
}

// asItCame gives the structured content of a result; nil where there is none.
func asItCame(r *sdk.CallToolResult) json.RawMessage {
	text, ok := r.StructuredContent.(string)
	if !ok {
		return nil
	}
	return json.RawMessage(text)
}
