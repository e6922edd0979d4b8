package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// validErrors removes data that are not valid JSON from errors. The library quotes addresses in them as Go does, which
// is not JSON for control characters; such an error could not be sent, and the session would end.
func validErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		var e *jsonrpc.Error
		if errors.As(err, &e) && len(e.Data) > 0 && !json.Valid(e.Data) {
			return result, &jsonrpc.Error{Code: e.Code, Message: e.Message}
		}
		return result, err
	}
}
