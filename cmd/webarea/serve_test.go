//go:build unix

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A httpServer is `webarea serve` until the test ends.
type httpServer struct {
	t      *testing.T
	c      *exec.Cmd
	stderr *spoken
	url    string
	ended  chan struct{}
}

// startHTTP starts one on this machine, with the arguments.
func startHTTP(t *testing.T, env []string, args ...string) *httpServer {
	t.Helper()
	return startHTTPAt(t, env, "127.0.0.1:0", args...)
}

func startHTTPAt(t *testing.T, env []string, address string, args ...string) *httpServer {
	t.Helper()
	s := &httpServer{t: t, c: command(t, append([]string{"serve", "--http", address}, args...)...), stderr: &spoken{}, ended: make(chan struct{})}
	s.c.Env = append(s.c.Env, env...)
	s.c.Stderr = s.stderr
	if err := s.c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.c.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.end(syscall.SIGTERM)
		if t.Failed() {
			t.Logf("the server's stderr:\n%s", s.stderr)
		}
	})
	serving := regexp.MustCompile(`serving MCP at (\S+)\n`)
	eventually(t, "it serves", func() bool {
		found := serving.FindStringSubmatch(s.stderr.String())
		if found != nil {
			s.url = found[1]
		}
		return found != nil
	})
	return s
}

// end ends it, and gives the exit code.
func (s *httpServer) end(signal syscall.Signal) int {
	s.t.Helper()
	_ = s.c.Process.Signal(signal)
	select {
	case <-s.ended:
	case <-time.After(runLimit / 2):
		s.t.Error("the server does not end")
		_ = s.c.Process.Kill()
		<-s.ended
	}
	return s.c.ProcessState.ExitCode()
}

// stateFolder is a folder for the token.
func stateFolder(t *testing.T) (env, file string) {
	t.Helper()
	dir := t.TempDir()
	return "XDG_STATE_HOME=" + dir, filepath.Join(dir, "webarea", tokenName)
}

func tokenIn(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// showing has a client show a token.
type showing struct {
	http.RoundTripper
	token string
}

// RoundTrip implements http.RoundTripper.
func (s showing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return s.RoundTripper.RoundTrip(r)
}

// agentOver connects a client over HTTP.
func agentOver(t *testing.T, url, token string, transport *http.Transport, legacy bool) (*agent, error) {
	t.Helper()
	t.Cleanup(transport.CloseIdleConnections)
	o := &sdk.ClientSessionOptions{}
	if legacy {
		o.ProtocolVersion = "2025-11-25"
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "over http", Version: "v1"}, nil).
		Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: showing{transport, token}}}, o)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { session.Close() })
	return &agent{ClientSession: session, t: t}, nil
}

// The running browsers are served over HTTP too, in both eras, and it ends when it is
// told to.
func TestServeGateway(t *testing.T) {
	t.Parallel()
	runtime, sockets := runtimeFolder(t)
	state, file := stateFolder(t)
	s := startHTTP(t, []string{runtime, state})
	for _, legacy := range []bool{true, false} {
		a, err := agentOver(t, s.url, tokenIn(t, file), &http.Transport{}, legacy)
		if err != nil {
			t.Fatal(err)
		}
		if o := a.ask("get_elements", `{}`); o.code != "no_browser" {
			t.Errorf("got %v, want no_browser", o)
		}
		h := startTestHost(t, sockets, titled("Apples"))
		a.about(a.ask("get_elements", `{}`), h, "Apples")
		h.expect("read over http get_elements ok")
		h.kill()
	}
	if code := s.end(syscall.SIGTERM); code != signalCode+int(syscall.SIGTERM) {
		t.Errorf("got exit %d, want %d", code, signalCode+int(syscall.SIGTERM))
	}
}

func TestServeLaunch(t *testing.T) {
	t.Parallel()
	state, file := stateFolder(t)
	s := startHTTP(t, []string{state}, "--launch", chosenPage(t))
	for _, legacy := range []bool{true, false} {
		a, err := agentOver(t, s.url, tokenIn(t, file), &http.Transport{}, legacy)
		if err != nil {
			t.Fatal(err)
		}
		if o := a.ask("get_elements", `{}`); o.answer == nil || !strings.Contains(o.text, "rye flour") {
			t.Errorf("got %v, want what is selected", o)
		}
	}
}

// The token is told once, kept for its user alone, and another's place once it is
// rotated.
func TestServeToken(t *testing.T) {
	t.Parallel()
	runtime, _ := runtimeFolder(t)
	state, file := stateFolder(t)
	env := []string{runtime, state}
	status := func(s *httpServer, token string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list", "Authorization": "Bearer " + token,
		} {
			r.Header.Set(name, value)
		}
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		answer, err := (&http.Client{Transport: transport}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	first := startHTTP(t, env)
	token := tokenIn(t, file)
	if !strings.Contains(first.stderr.String(), token) || status(first, token) != 200 || status(first, "x"+token) != 401 {
		t.Errorf("the first time: the token is not told, or not taken\n%s", first.stderr)
	}
	first.end(syscall.SIGINT)
	second := startHTTP(t, env)
	if strings.Contains(second.stderr.String(), token) || !strings.Contains(second.stderr.String(), file) || status(second, token) != 200 {
		t.Errorf("the second time: the token is told again, or not taken\n%s", second.stderr)
	}
	second.end(syscall.SIGINT)
	third := startHTTP(t, env, "--new-token")
	if rotated := tokenIn(t, file); rotated == token || status(third, rotated) != 200 || status(third, token) != 401 || !strings.Contains(third.stderr.String(), rotated) {
		t.Errorf("a new token: the old one is taken, or the new one is not\n%s", third.stderr)
	}
	third.end(syscall.SIGINT)

	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	c := command(t, "serve", "--http", "127.0.0.1:0")
	c.Env = append(c.Env, env...)
	finish(t, c).expectError(t, exitFailed, "read by others", "--new-token")
}

// Another user of this machine reads neither the token nor connects to a host.
func TestServeAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	const nobody = 65534
	runtime, sockets := runtimeFolder(t)
	state, file := stateFolder(t)
	startHTTP(t, []string{runtime, state})
	h := startTestHost(t, sockets, titled("Apples"))
	// The folders above are open, so that only what is ours keeps anybody out.
	for dir := filepath.Dir(filepath.Dir(file)); len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(sockets), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, script string }{
		{"read the token", `cat "$0"`},
		{"list the sockets", `ls "$1"`},
		{"find a socket", `ls -l "$1/$2"`},
	} {
		own := exec.Command("sh", "-c", c.script, file, sockets, h.instance+".sock")
		if out, err := own.CombinedOutput(); err != nil {
			t.Fatalf("we cannot %s: %v %s", c.what, err, out)
		}
		other := exec.Command("sh", "-c", c.script, file, sockets, h.instance+".sock")
		other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		if out, err := other.CombinedOutput(); err == nil {
			t.Errorf("another user can %s: %s", c.what, out)
		}
	}
}

func TestServeUsage(t *testing.T) {
	t.Parallel()
	state, _ := stateFolder(t)
	certificate, key := selfSigned(t)
	for _, c := range []struct {
		args  string
		words []string
	}{
		{"", []string{"--http 127.0.0.1:8700"}},
		{"--http 8700", []string{"--http", "127.0.0.1:8700"}},
		{"--http :8700", []string{"--http", "127.0.0.1:8700"}},
		{"--http 127.0.0.1:x", []string{"--http"}},
		{"--http 0.0.0.0:0", []string{"other machines", "--allow-remote"}},
		{"--http [::]:0", []string{"other machines", "--allow-remote"}},
		{"--http 192.0.2.1:0", []string{"other machines", "--allow-remote"}},
		{"--http example.com:0", []string{"other machines", "--allow-remote"}},
		{"--http 0.0.0.0:0 --allow-remote", []string{"--tls-cert", "--tls-key"}},
		{"--http 127.0.0.1:0 --allow-remote", []string{"--tls-cert", "--tls-key"}},
		{"--http 127.0.0.1:0 --tls-cert " + certificate, []string{"--tls-cert and --tls-key go together"}},
		{"--http 127.0.0.1:0 --tls-key " + key, []string{"--tls-cert and --tls-key go together"}},
		{"--http 127.0.0.1:0 --tls-cert " + key + " --tls-key " + key, []string{"--tls-cert"}},
		{"--http 127.0.0.1:0 --tls-cert /nowhere --tls-key " + key, []string{"/nowhere"}},
		{"--http 127.0.0.1:0 --launch --attach http://127.0.0.1:1", []string{"do not go together"}},
		{"--http 127.0.0.1:0 --launch form.html form.html", []string{"one argument too many"}},
		{"--http 127.0.0.1:0 form.html", []string{"one argument too many"}},
	} {
		command := command(t, append([]string{"serve"}, strings.Fields(c.args)...)...)
		command.Env = append(command.Env, state)
		finish(t, command).expectError(t, exitUsage, c.words...)
	}
}

func TestServeWhereSomebodyListens(t *testing.T) {
	t.Parallel()
	runtime, _ := runtimeFolder(t)
	state, file := stateFolder(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	c := command(t, "serve", "--http", listener.Addr().String())
	c.Env = append(c.Env, runtime, state)
	finish(t, c).expectError(t, exitFailed, "listening at", "in use")
	if _, err := os.Stat(file); err == nil {
		t.Error("a token was made for nobody")
	}
}

// Other machines are served over TLS alone, by the names of the certificate.
func TestServeRemote(t *testing.T) {
	t.Parallel()
	runtime, _ := runtimeFolder(t)
	state, file := stateFolder(t)
	certificate, key := selfSigned(t)
	s := startHTTPAt(t, []string{runtime, state}, "0.0.0.0:0", "--allow-remote", "--tls-cert", certificate, "--tls-key", key)
	at, err := netip.ParseAddrPort(strings.TrimSuffix(strings.TrimPrefix(s.url, "https://"), "/mcp"))
	if err != nil {
		t.Fatalf("got %s, want an address with https", s.url)
	}
	pem, err := os.ReadFile(certificate)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	known.AppendCertsFromPEM(pem)
	// Every name leads to this machine.
	transport := func() *http.Transport {
		dialer := &net.Dialer{}
		return &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: known, ServerName: "pages.example"},
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, fmt.Sprintf("127.0.0.1:%d", at.Port()))
			},
		}
	}
	for name, works := range map[string]bool{"pages.example": true, "127.0.0.1": true, "other.example": false, "0.0.0.0": false} {
		a, err := agentOver(t, fmt.Sprintf("https://%s:%d/mcp", name, at.Port()), tokenIn(t, file), transport(), false)
		if (err == nil) != works {
			t.Errorf("called %s: got %v, want that it works: %v", name, err, works)
		}
		if err == nil {
			if o := a.ask("get_elements", `{}`); o.code != "no_browser" {
				t.Errorf("called %s: got %v, want no_browser", name, o)
			}
		}
	}
	plain := &http.Transport{}
	defer plain.CloseIdleConnections()
	answer, err := (&http.Client{Transport: plain}).Get(fmt.Sprintf("http://127.0.0.1:%d/mcp", at.Port()))
	if err == nil {
		words, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusBadRequest {
			t.Errorf("without TLS: got %d %s, want it refused", answer.StatusCode, words)
		}
	}
}

// selfSigned makes a certificate for pages.example, and gives the files of it and of
// its key.
func selfSigned(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	is := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"pages.example"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, is, is, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

func TestLoopbackNames(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true,
		"": false, "localhost.": false, "localhost.example": false, "127.0.0.1.example": false, "0.0.0.0": false, "::": false,
		"192.0.2.1": false, "2130706433": false, "0x7f.1": false, "127.1": false, "::1%lo": true,
	} {
		if got := isLoopbackName(host); got != want {
			t.Errorf("%q: got %v, want %v", host, got, want)
		}
	}
}
