package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxUnsettled is how often a question is answered anew because a tab was unshared
// meanwhile. Somebody who stops sharing one tab after the other takes longer.
const maxUnsettled = 10

var errUnsettled = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "what is shared keeps changing: ask again"}

// settled answers anew where the sharing of a tab ended while an answer was being made
// of what the provider said: it may have had that tab.
func (s *Server) settled(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		if !takesTurns[method] {
			return next(ctx, method, request)
		}
		for range maxUnsettled {
			before := s.provider.Unshared()
			result, err := next(ctx, method, request)
			if s.provider.Unshared() == before {
				return result, err
			}
		}
		return nil, errUnsettled
	}
}
