// Package mcp is the MCP server: it hands what a provider says to agents, as tools,
// resources and a prompt, in both eras of the protocol.
//
// It owns everything that is MCP: the transport of lines, the schemas of the tools,
// how an answer and a failure look as a result, and who is told of changes. It
// decides nothing about what a page shows or what may be told of it; that is package
// provider's. It never starts a browser by itself: whoever makes a [Server] says how
// what it serves is brought up, and that happens at the first question that needs it.
//
// The list of tools is in tools.go; each tool has a file of its own.
package mcp
