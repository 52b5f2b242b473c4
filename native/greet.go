package native

import (
	"errors"
	"fmt"
	"io"
)

// A Welcome is how a host answers an extension.
type Welcome struct {
	Version  string // of the host's program
	Instance string
}

// Greet says to a host what an extension of that version says first, and takes the
// answer. in and out are the host's standard input and output. The error is for a host
// that refuses, in its own words, or that says something else.
func Greet(in io.Writer, out io.Reader, version string) (Welcome, error) {
	text, err := encodeMessage(map[string]any{
		"kind": kindHello, "protocol": Protocol, "extension": version, "browser": map[string]string{"name": "webarea doctor", "version": version},
	})
	if err != nil {
		return Welcome{}, err
	}
	// One that has ended already may have said why, which tells more.
	unheard := writeFrame(in, text)
	frame, err := readFrame(out)
	if errors.Is(err, errFrameSize) {
		return Welcome{}, errors.New("what it writes is not in frames: something else writes to its standard output")
	}
	if err = errors.Join(err, unheard); err != nil {
		return Welcome{}, fmt.Errorf("waiting for the host's welcome: %w", err)
	}
	k, err := kindOf(frame)
	if err != nil {
		return Welcome{}, err
	}
	switch k {
	case kindWelcome:
		m, err := decodeAs[welcomeMessage](k, frame)
		return Welcome{m.Version, m.Instance}, err
	case kindRefused:
		m, err := decodeAs[refusedMessage](k, frame)
		if err != nil {
			return Welcome{}, err
		}
		return Welcome{}, errors.New(m.Message)
	}
	return Welcome{}, fmt.Errorf("%w: the first is no welcome", errShape)
}
