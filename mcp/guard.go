package mcp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxTurns is how many questions are answered at once; more wait. Reads of one page
// come one after another in its renderer anyway.
const maxTurns = 8

// takesTurns are the methods that ask the provider.
var takesTurns = map[string]bool{
	"tools/call":     true,
	"resources/read": true,
	"prompts/get":    true,
}

var errInternal = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error: the server is at fault, and goes on"}

// guard stands before every handler: none can end the process, all take turns, and
// what goes wrong is an error with a code.
func (s *Server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if r := recover(); r != nil {
				s.log.Error("a handler panicked", "method", method, "what", fault(r), "stack", string(debug.Stack()))
				result, err = nil, errInternal
			}
		}()
		if takesTurns[method] {
			select {
			case s.turns <- struct{}{}:
				defer func() { <-s.turns }()
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		result, err = next(ctx, method, request)
		var coded *jsonrpc.Error
		if err == nil || errors.As(err, &coded) || ctx.Err() != nil {
			return result, err
		}
		s.log.Error("a handler failed", "method", method, "error", err)
		return nil, errInternal
	}
}

// fault says what a panic was about: in words where they are the runtime's, which say
// nothing of a page.
func fault(r any) string {
	if e, ok := r.(interface{ RuntimeError() }); ok {
		return fmt.Sprint(e)
	}
	return fmt.Sprintf("%T", r)
}
