// Package mcp is the MCP server: it hands what a provider says to agents, as tools,
// resources and a prompt, in both eras of the protocol.
//
// It owns everything that is MCP: the transports, of lines and over HTTP, and whom the
// latter lets in; the schemas of the tools; how an answer and a failure look as a
// result; who is told of changes; and the gateway that offers all running hosts as one
// server, wherever those are to be found. It
// decides nothing about what a page shows or what may be told of it; that is package
// provider's. It never starts a browser by itself: whoever makes a [Server] says how
// what it serves is brought up, and that happens at the first question that needs it.
//
// The list of tools is in tools.go; each tool has a file of its own.
package mcp
