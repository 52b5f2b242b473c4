package cdp

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

// An envelope is the outside of one received message. body is part of the
// message, not a copy.
type envelope struct {
	id      int64            // of the command that this answers, 0 for an event
	method  string           // of the event
	session target.SessionID // empty for the root session
	body    jsonv2.Value     // the result, or the event's parameters
	failure *failure         // set where the command failed
}

type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

var emptyObject = jsonv2.Value("{}")

// encodeCommand writes a command as the browser expects it.
func encodeCommand(id int64, session target.SessionID, method string, params any) ([]byte, error) {
	return jsonv2.Marshal(struct {
		ID      int64            `json:"id"`
		Session target.SessionID `json:"sessionId,omitzero"`
		Method  string           `json:"method"`
		Params  any              `json:"params,omitzero"`
	}{id, session, method, params}, tolerant)
}

// decodeEnvelope reads the outside of a message. Results can be many megabytes
// and are parsed later by whoever wants them, so the common shapes are taken
// apart from both ends without looking into the middle; anything else is parsed
// in full.
func decodeEnvelope(msg []byte) (envelope, error) {
	if env, ok := peel(msg); ok {
		return env, nil
	}
	var whole struct {
		ID      int64            `json:"id"`
		Method  string           `json:"method"`
		Session target.SessionID `json:"sessionId"`
		Result  jsonv2.Value     `json:"result"`
		Params  jsonv2.Value     `json:"params"`
		Error   *failure         `json:"error"`
	}
	if err := jsonv2.Unmarshal(msg, &whole, tolerant); err != nil {
		return envelope{}, fmt.Errorf("the browser sent what is not a protocol message (%q): %w", clip(msg), err)
	}
	env := envelope{id: whole.ID, method: whole.Method, session: whole.Session, failure: whole.Error}
	if env.body = whole.Params; env.id != 0 {
		env.body = whole.Result
	}
	if env.body == nil {
		env.body = emptyObject
	}
	return env, nil
}

var (
	idPrefix     = []byte(`{"id":`)
	resultKey    = []byte(`,"result":{`)
	methodPrefix = []byte(`{"method":"`)
	paramsKey    = []byte(`,"params":{`)
	sessionKey   = []byte(`,"sessionId":"`)
)

// peel takes apart {"id":1,"result":{…}[,"sessionId":"…"]} and the same of an
// event. It relies on the message being valid JSON, but on an invalid one it
// does no worse than hand out an invalid body.
func peel(msg []byte) (env envelope, ok bool) {
	rest, session, ok := peelTail(msg)
	if !ok {
		return env, false
	}
	env.session = session
	key := resultKey
	if after, found := bytes.CutPrefix(rest, idPrefix); found {
		digits := 0
		for digits < len(after) && after[digits] >= '0' && after[digits] <= '9' {
			digits++
		}
		id, err := strconv.ParseInt(string(after[:digits]), 10, 64)
		if err != nil || id == 0 {
			return env, false
		}
		env.id, rest = id, after[digits:]
	} else if after, found := bytes.CutPrefix(rest, methodPrefix); found {
		name := bytes.IndexByte(after, '"')
		if name < 0 || bytes.IndexByte(after[:name], '\\') >= 0 {
			return env, false
		}
		env.method, rest = string(after[:name]), after[name+1:]
		key = paramsKey
	} else {
		return env, false
	}
	if !bytes.HasPrefix(rest, key) {
		return env, false
	}
	env.body = jsonv2.Value(rest[len(key)-1:])
	return env, true
}

// peelTail cuts the closing brace, and the session id if it stands last. The
// quote before a plain word at the very end can only open that word, so what
// stands before it is a key of the outermost object. What is left must end with
// the brace of the body.
func peelTail(msg []byte) (rest []byte, session target.SessionID, ok bool) {
	end := len(msg) - 1
	if end < 2 || msg[end] != '}' {
		return nil, "", false
	}
	rest = msg[:end]
	if rest[len(rest)-1] == '"' {
		start := len(rest) - 1
		for start > 0 && isWordByte(rest[start-1]) {
			start--
		}
		head, found := bytes.CutSuffix(rest[:start], sessionKey)
		if !found {
			return nil, "", false
		}
		session = target.SessionID(rest[start : len(rest)-1])
		rest = head
	}
	return rest, session, len(rest) > 0 && rest[len(rest)-1] == '}'
}

func isWordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b == '-' || b == '_'
}

// clip shortens a message for an error.
func clip(msg []byte) []byte {
	const enough = 80
	if len(msg) > enough {
		return msg[:enough]
	}
	return msg
}
