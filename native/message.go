package native

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/webarea/webarea/provider"
)

// Protocol is the number of what extension and host say to each other.
const Protocol = 1

// A kind says what a message is.
type kind string

// The kinds of messages of both sides.
const (
	kindPart   kind = "part"   // a piece of a message that is too long for one frame
	kindCDP    kind = "cdp"    // a DevTools message of a tab
	kindAnswer kind = "answer" // to what the other side asked
)

// The kinds of messages that the extension sends.
const (
	kindHello kind = "hello" // the first, once
	kindTabs  kind = "tabs"  // what is shared, whole
	kindAsk   kind = "ask"   // a question of the extension's own pages
	kindWatch kind = "watch" // whether changes are to be told
)

// The kinds of messages that the host sends.
const (
	kindWelcome kind = "welcome" // the answer to hello
	kindRefused kind = "refused" // the other, before the host ends
	kindAgents  kind = "agents"  // who is connected, whole
	kindRead    kind = "read"    // an agent has read
	kindChanged kind = "changed" // what agents see may have changed
	kindRequest kind = "request" // something that the extension alone can do
)

// A tabState says how a shared tab is reached.
type tabState string

// The states. Only of an attached tab are there DevTools messages.
const (
	stateAttached    tabState = "attached"
	stateAttaching   tabState = "attaching"
	stateReduced     tabState = "reduced"
	statePaused      tabState = "paused"
	stateUnreachable tabState = "unreachable"
)

// problems are what a tab's state is to agents, where nothing more exact is told.
var problems = map[tabState]string{
	stateAttaching:   provider.ProblemAttaching,
	stateReduced:     provider.ProblemReduced,
	statePaused:      provider.ProblemPaused,
	stateUnreachable: provider.ProblemUnreachableTab,
}

// A question is what the extension's own pages ask.
type question string

// The questions.
const (
	askOutline question = "outline" // what an agent would be told now
	askPoint   question = "point"   // outline an element on its page
	askAgents  question = "agents"  // who is connected
)

// A request is what the host asks of the extension.
type request string

// The requests, about a tab that is reduced.
const (
	requestReduced request = "reduced" // have a function of our script called
	requestCapture request = "capture" // take a picture of what it shows
)

// requestMessage asks the extension something.
type requestMessage struct {
	Kind     kind    `json:"kind"`
	ID       int64   `json:"id"` // our own number
	What     request `json:"what"`
	Tab      string  `json:"tab"`
	Function string  `json:"function,omitzero"` // of requestReduced
	Argument any     `json:"argument,omitzero"`
	Format   string  `json:"format,omitzero"` // of requestCapture
}

// repliedMessage is the extension's answer to a request.
type repliedMessage struct {
	ID     int64         `json:"id"`
	Result jsonv2.Value  `json:"result"`
	Error  *answerFailed `json:"error"`
}

// helloMessage is the extension's first.
type helloMessage struct {
	Protocol  int    `json:"protocol"`
	Extension string `json:"extension"` // its version
	Browser   struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"browser"`
}

// tabsMessage is what is shared.
type tabsMessage struct {
	Tabs    []tabFacts    `json:"tabs"`
	Windows []windowFacts `json:"windows"`
	Gone    []goneTab     `json:"gone"`
}

// tabFacts are what the extension tells of a shared tab.
type tabFacts struct {
	Tab     string   `json:"tab"` // its key: another for each attaching
	Window  int64    `json:"window"`
	Index   int      `json:"index"` // its place in the window
	State   tabState `json:"state"`
	Problem string   `json:"problem"`
	Active  bool     `json:"active"`
	Title   string   `json:"title"`
	URL     string   `json:"url"`

	Pinned    bool `json:"pinned"`
	Audible   bool `json:"audible"`
	Loading   bool `json:"loading"`
	Discarded bool `json:"discarded"`
}

// windowFacts are what the extension tells of a window with a shared tab.
type windowFacts struct {
	Window  int64  `json:"window"`
	Focused bool   `json:"focused"`
	Order   int64  `json:"order"` // higher: focused later
	State   string `json:"state"` // normal, minimized, maximized or fullscreen

	Bounds struct {
		X      float64 `json:"x"` // px of the screen
		Y      float64 `json:"y"`
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	} `json:"bounds"`
}

// goneTab is one whose sharing, or attaching, has ended.
type goneTab struct {
	Tab    string `json:"tab"`
	Reason string `json:"reason"`
}

// cdpMessage carries a DevTools message of a tab, in either direction.
type cdpMessage struct {
	Kind kind         `json:"kind"`
	Tab  string       `json:"tab"`
	M    jsonv2.Value `json:"m"`
}

// askMessage is a question.
type askMessage struct {
	ID      int64    `json:"id"` // the asker's own number
	What    question `json:"what"`
	Element string   `json:"element"` // of askPoint
}

// watchMessage switches the telling of changes.
type watchMessage struct {
	On bool `json:"on"`
}

// partMessage is a piece of a message's text.
type partMessage struct {
	Kind kind   `json:"kind"`
	Of   int64  `json:"of"`
	Last bool   `json:"last"`
	Text string `json:"text"`
}

// welcomeMessage is the host's first.
type welcomeMessage struct {
	Kind     kind   `json:"kind"`
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	Instance string `json:"instance"`
	PID      int    `json:"pid"`
}

// refusedMessage is the host's first and last.
type refusedMessage struct {
	Kind    kind   `json:"kind"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// answerMessage answers an ask; one of Result and Error is set.
type answerMessage struct {
	Kind   kind          `json:"kind"`
	ID     int64         `json:"id"`
	Result any           `json:"result,omitzero"`
	Error  *answerFailed `json:"error,omitzero"`
}

// answerFailed is why there is no answer.
type answerFailed struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// agentsMessage says who is connected.
type agentsMessage struct {
	Kind   kind         `json:"kind"`
	Agents []agentFacts `json:"agents"`
}

// agentList answers askAgents.
type agentList struct {
	Agents []agentFacts `json:"agents"`
}

// agentFacts are what is known of an agent.
type agentFacts struct {
	ID      int    `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
}

// readMessage says what an agent has read.
type readMessage struct {
	Kind    kind   `json:"kind"`
	At      int64  `json:"at"` // ms since 1970
	Agent   string `json:"agent"`
	Tool    string `json:"tool"`
	What    string `json:"what"` // a scope or an id
	Bytes   int    `json:"bytes"`
	MS      int64  `json:"ms"`
	Outcome string `json:"outcome"` // ok, or a failure's code
}

// changedMessage says that there may be something new to ask.
type changedMessage struct {
	Kind kind `json:"kind"`
}

// errShape is wrapped by the errors about messages of a wrong shape, which end the
// connection.
var errShape = errors.New("a message of a wrong shape")

// cdpStart begins what the extension writes of a kindCDP. Those can be many megabytes
// long, and need not be parsed twice.
var cdpStart = []byte(`{"kind":"cdp",`)

// kindOf tells what a message is.
func kindOf(message []byte) (kind, error) {
	if bytes.HasPrefix(message, cdpStart) {
		return kindCDP, nil
	}
	var m struct {
		Kind kind `json:"kind"`
	}
	if err := jsonv2.Unmarshal(message, &m, tolerant); err != nil {
		return "", fmt.Errorf("%w: it is not an object with a kind", errShape)
	}
	return m.Kind, nil
}

// decodeAs decodes a message of a known kind. What is wrong with it is told without
// its words, which may be a page's.
func decodeAs[M any](k kind, message []byte) (M, error) {
	var m M
	if err := jsonv2.Unmarshal(message, &m, tolerant); err != nil {
		return m, fmt.Errorf("%w: %s", errShape, k)
	}
	return m, nil
}

// tolerant decodes what pages really hold, as package cdp does.
var tolerant = jsonv2.JoinOptions(jsonv2.AllowInvalidUTF8(true))

// encodeMessage gives the JSON of a message.
func encodeMessage(m any) ([]byte, error) {
	text, err := jsonv2.Marshal(m, tolerant)
	if err != nil {
		return nil, fmt.Errorf("encoding a message: %w", err)
	}
	return text, nil
}

// tabKey matches the keys of tabs that are taken. They are part of names that are
// held for a long time, so they are plain and short.
var tabKey = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
