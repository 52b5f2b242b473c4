package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/mcp"
	"github.com/webarea/webarea/native"
)

func newServe() *cobra.Command {
	var flags serveFlags
	command := &cobra.Command{
		Use:   "serve --http HOST:PORT [--launch [URL] | --attach URL]",
		Short: "Serve agents over MCP, over HTTP",
		Long: `Be an MCP server over Streamable HTTP, for agents that do not start programs: of the
running browsers in which tabs are shared, or with --launch or --attach of one browser
as webarea mcp is.

Every request has to show a token. It is made when it is first needed, told once on
standard error, and kept where only you can read it; --new-token makes another.

It is served on this machine only. --allow-remote serves others too, and then
connections have to be encrypted.

Exit status: 1 it could not be served, 2 usage; after a signal, 128 and its number.`,
		Example: `  webarea serve --http 127.0.0.1:8700
  webarea serve --http 127.0.0.1:8700 --launch https://example.com/
  webarea serve --http 0.0.0.0:8700 --allow-remote --tls-cert cert.pem --tls-key key.pem`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args:              cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			nothing := func(string) bool { return false }
			if rest := flags.launch.take(args, nothing); len(rest) > 0 {
				return fmt.Errorf("%q is one argument too many: a page is named after --launch", rest[0])
			}
			return flags.run(command)
		},
	}
	flags.register(command)
	return command
}

// serveFlags are the flags of serve.
type serveFlags struct {
	shareFlags
	address     listenAddress
	newToken    bool
	remote      bool
	certificate string
	key         string
}

// A listenAddress is where to listen.
type listenAddress struct {
	host string
	port string
}

func (f *serveFlags) register(command *cobra.Command) {
	flags := command.Flags()
	flags.SortFlags = false
	flags.Var(&value[listenAddress]{&f.address, "HOST:PORT", "", parseListen}, "http", "listen here, such as 127.0.0.1:8700; port 0 is any that is free")
	f.shareFlags.register(command)
	flags.BoolVar(&f.newToken, "new-token", false, "make a new token in place of the one that there is")
	flags.BoolVar(&f.remote, "allow-remote", false, "serve other machines too; demands --tls-cert and --tls-key")
	flags.Var(&value[string]{&f.certificate, "FILE", "", parseWords("a file")}, "tls-cert", "the certificate, PEM; it is called by the names in it")
	flags.Var(&value[string]{&f.key, "FILE", "", parseWords("a file")}, "tls-key", "the key of the certificate, PEM")
}

// String says the address.
func (a listenAddress) String() string { return net.JoinHostPort(a.host, a.port) }

// isLoopback tells whether only this machine can reach it.
func (a listenAddress) isLoopback() bool {
	if strings.EqualFold(a.host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(a.host)
	return err == nil && ip.IsLoopback()
}

func parseListen(text string) (listenAddress, error) {
	host, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil || host == "" || port == "" {
		return listenAddress{}, errors.New("must be a host and a port, such as 127.0.0.1:8700")
	}
	return listenAddress{host, port}, nil
}

// check finds flags that do not go together.
func (f *serveFlags) check() error {
	switch {
	case f.address.port == "":
		return errors.New("say where to listen: --http 127.0.0.1:8700")
	case !f.remote && !f.address.isLoopback():
		return fmt.Errorf("--http %s is reached by other machines: listen at 127.0.0.1, or add --allow-remote, --tls-cert and --tls-key", f.address)
	case (f.certificate == "") != (f.key == ""):
		return errors.New("--tls-cert and --tls-key go together: give both or none")
	case f.remote && f.certificate == "":
		return errors.New("--allow-remote demands --tls-cert and --tls-key: what is sent would be read on its way")
	}
	return nil
}

func (f *serveFlags) run(command *cobra.Command) error {
	if err := f.check(); err != nil {
		return err
	}
	tell := teller(command.ErrOrStderr())
	o, err := f.options()
	if err != nil {
		return err
	}
	served, err := f.serving(tell, command.ErrOrStderr())
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(command.Context())
	defer stop()
	err = f.serve(ctx, served, o, tell)
	if closeErr := served.close(); closeErr != nil {
		tell(closeErr.Error())
	}
	return ended(ctx, err)
}

func (f *serveFlags) serve(ctx context.Context, served *serving, o mcp.HTTPOptions, tell func(string)) error {
	listener, err := net.Listen("tcp", f.address.String())
	if err != nil {
		return fmt.Errorf("listening at %s: %w", f.address, err)
	}
	defer listener.Close()
	// A name may lead elsewhere than it says.
	if at, ok := listener.Addr().(*net.TCPAddr); !f.remote && (!ok || !at.IP.IsLoopback()) {
		return fmt.Errorf("--http %s leads to %s, which other machines reach: listen at 127.0.0.1", f.address, listener.Addr())
	}
	dir, err := native.StateDir()
	if err != nil {
		return fmt.Errorf("keeping a token: %w", err)
	}
	token, err := openToken(dir, f.newToken)
	if err != nil {
		return err
	}
	o.Token = token.word
	tell(served.says)
	if token.isNew {
		tell("the token, told only now and kept in " + token.path + ": " + token.word)
	} else {
		tell("the token is in " + token.path)
	}
	tell("serving MCP at " + f.url(listener.Addr()))
	return served.HTTP(o).Serve(ctx, listener)
}

// url is where clients find it.
func (f *serveFlags) url(at net.Addr) string {
	scheme := "http"
	if f.certificate != "" {
		scheme = "https"
	}
	_, port, err := net.SplitHostPort(at.String())
	if err != nil {
		port = f.address.port
	}
	return scheme + "://" + net.JoinHostPort(f.address.host, port) + mcp.HTTPPath
}

// options says the flags in the words of what serves, but for the token.
func (f *serveFlags) options() (mcp.HTTPOptions, error) {
	o := mcp.HTTPOptions{IsOwn: isLoopbackName}
	if f.certificate == "" {
		return o, nil
	}
	pair, err := tls.LoadX509KeyPair(f.certificate, f.key)
	if err != nil {
		return o, fmt.Errorf("--tls-cert %s, --tls-key %s: %w", f.certificate, f.key, err)
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		return o, fmt.Errorf("--tls-cert %s: %w", f.certificate, err)
	}
	o.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	o.IsOwn = func(host string) bool { return isLoopbackName(host) || leaf.VerifyHostname(host) == nil }
	return o, nil
}

// isLoopbackName tells whether a host is this machine, whoever asks.
func isLoopbackName(host string) bool { return listenAddress{host: host}.isLoopback() }
