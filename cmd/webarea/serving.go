package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/webarea/webarea/mcp"
	"github.com/webarea/webarea/native"
)

// A serving is what answers agents, with how it is ended.
type serving struct {
	agentServer
	says  string // what is shared, for the person who started us
	close func() error
}

// An agentServer answers agents: about a share, or about all running browsers.
type agentServer interface {
	Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error
	HTTP(mcp.HTTPOptions) *mcp.HTTP
	caller
}

// A caller answers questions of this program itself, as of an agent.
type caller interface {
	Call(ctx context.Context, tool string, arguments []byte) (*mcp.Result, error)
}

// hosts are the running browsers, which are told who asks.
type hosts struct{ *mcp.Gateway }

// Call implements caller.
func (h hosts) Call(ctx context.Context, tool string, arguments []byte) (*mcp.Result, error) {
	return h.Gateway.Call(ctx, mcp.Agent{Name: "webarea", Version: ownVersion()}, tool, arguments)
}

// serving gives what the flags say is served: a share of a browser, or without any the
// running browsers.
func (f *shareFlags) serving(tell func(string), stderr io.Writer) (*serving, error) {
	if !f.launch.given && f.attach == "" && f.browser == "" && !f.headful {
		return serveHosts(stderr)
	}
	shared, err := f.open(tell)
	if err != nil {
		return nil, err
	}
	return &serving{newServer(shared, stderr), shared.says(), shared.close}, nil
}

// serveHosts serves the browsers in which the user has the extension.
func serveHosts(stderr io.Writer) (*serving, error) {
	dir, err := native.RunDir()
	if err != nil {
		return nil, &exit{exitFailed, fmt.Errorf("looking for running browsers: %w", err)}
	}
	gateway := mcp.NewGateway(mcp.GatewayOptions{
		Hosts:   native.HostsIn(dir),
		Version: ownVersion(),
		Files:   true,
		Log:     slog.New(slog.NewTextHandler(stderr, nil)),
	})
	return &serving{hosts{gateway}, "shared: the tabs that are shared in the running browsers", func() error {
		gateway.Close()
		return nil
	}}, nil
}
