package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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

// A guard stands before every handler of a server: none can end the process, all that
// ask the provider take turns, and what goes wrong is an error with a code.
type guard struct {
	log   *slog.Logger
	turns chan struct{} // has a token for each question under way; nil: none waits
}

func (g guard) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if r := recover(); r != nil {
				g.log.Error("a handler panicked", "method", method, "what", fault(r), "stack", string(debug.Stack()))
				result, err = nil, errInternal
			}
		}()
		if takesTurns[method] && g.turns != nil {
			select {
			case g.turns <- struct{}{}:
				defer func() { <-g.turns }()
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		result, err = next(ctx, method, request)
		var coded *jsonrpc.Error
		if err == nil || errors.As(err, &coded) || ctx.Err() != nil {
			return result, err
		}
		g.log.Error("a handler failed", "method", method, "error", err)
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
