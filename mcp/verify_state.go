package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/webarea/webarea/provider"
)

// defaultStable is how many samples must satisfy where nothing else is asked for. The
// schema does not have it: one sample suffices where it was not asked for and nothing
// is waited for.
const defaultStable = 2

// verifyState looks whether a window is as it is expected to be.
var verifyState = tool{
	name:        "verify_state",
	title:       "Check a window",
	description: "Waits until all predicates hold and are stable: satisfied, unsatisfied or unknown, which never implies success. *_contains ignores case.",
	input:       schemaAs(verifyInput(`{"type":"object","description":"`+predicateWords+`"}`), verifyInput(predicateSchema)),
	output:      schemaOf(failureOutput),
	differs:     true,
	run:         running(runVerifyState),
}

// verifyInput is the schema of the arguments, with that of a predicate.
func verifyInput(predicate string) string {
	return `{"type":"object","properties":{` + windowProperties + `,` +
		`"expect":{"type":"array","minItems":1,"maxItems":8,"items":` + predicate + `},` +
		`"include_screenshot":{"type":"boolean","default":false},` +
		`"stable_samples":{"type":"integer","minimum":1,"maximum":5,"description":"2"},` +
		`"timeout_ms":{"type":"integer","minimum":0,"maximum":10000,"default":5000,"description":"0: one sample"}` +
		`},"required":["pid","window_id","expect"],"additionalProperties":false}`
}

// predicateWords say what a predicate is, in a third of the bytes of its schema.
const predicateWords = `one of window {exists, bounds {x,y,width,height,tolerance_px}, title_contains, url_equals, url_contains, load_state loading|complete, tab_active}; ` +
	`element {selector {role, label_contains, element_id, element_token}, exists, count, value_equals, text_contains, enabled, selected, checked true|false|'mixed', expanded, pressed, focused, visible}; ` +
	`text_selection {equals, contains, within_element_id}; all fields optional`

// predicateSchema is the schema of a predicate.
var predicateSchema = closed(
	`"window":` + closed(`"exists":`+yesNo+`,"bounds":`+closedWith(`"x":`+number+`,"y":`+number+`,"width":`+number+`,"height":`+number+
		`,"tolerance_px":{"type":"number","minimum":0,"maximum":100}`, `"x","y","width","height"`)+
		`,"title_contains":`+words+`,"url_equals":`+words+`,"url_contains":`+words+`,"load_state":{"type":"string","enum":["loading","complete"]},"tab_active":`+yesNo) +
		`,"element":` + closedWith(`"selector":`+closed(`"role":`+words+`,"label_contains":`+words+`,"element_id":`+words+`,"element_token":`+words)+
		`,"exists":`+yesNo+`,"count":{"type":"integer","minimum":0},"value_equals":`+words+`,"text_contains":`+words+`,"enabled":`+yesNo+`,"selected":`+yesNo+
		`,"checked":{"type":["boolean","string"],"enum":[true,false,"mixed"]},"expanded":`+yesNo+`,"pressed":`+yesNo+`,"focused":`+yesNo+`,"visible":`+yesNo, `"selector"`) +
		`,"text_selection":` + closed(`"equals":`+words+`,"contains":`+words+`,"within_element_id":`+words))

// Parts of the schema.
const (
	yesNo  = `{"type":"boolean"}`
	number = `{"type":"number"}`
	words  = `{"type":"string"}`
)

// closed is the schema of an object that has nothing but these members.
func closed(members string) string {
	return `{"type":"object","properties":{` + members + `},"additionalProperties":false}`
}

func closedWith(members, required string) string {
	return `{"type":"object","properties":{` + members + `},"required":[` + required + `],"additionalProperties":false}`
}

type verifyStateArguments struct {
	windowArguments
	Expect    []provider.Predicate `json:"expect"`
	Picture   bool                 `json:"include_screenshot"`
	Stable    *int                 `json:"stable_samples"`
	TimeoutMS int64                `json:"timeout_ms"`
}

func runVerifyState(ctx context.Context, s *Server, in verifyStateArguments) (*Result, error) {
	q := provider.VerifyQuery{
		WindowAddress: in.address(), Expect: in.Expect, Timeout: time.Duration(in.TimeoutMS) * time.Millisecond,
		Stable: defaultStable, Picture: in.Picture, Most: defaultEdge,
	}
	if in.Stable != nil {
		q.Stable, q.Sent = *in.Stable, true
	}
	ctx, cancel, err := s.prepareFor(ctx, "", q.Timeout+answerPatience)
	if err != nil {
		return nil, err
	}
	defer cancel()
	verdict, err := s.provider.Verify(ctx, q)
	if err != nil {
		return nil, err
	}
	structured, err := encode(verdict)
	if err != nil {
		return nil, err
	}
	result := &Result{Structured: structured, Text: verdictText(verdict)}
	if verdict.PNG != nil {
		result.Pictures = []Picture{{MIMEType: "image/png", Data: verdict.PNG}}
	}
	return result, nil
}

func verdictText(v *provider.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s after %d ms, %d samples", v.Status, v.ElapsedMS, v.Samples)
	for _, o := range v.Predicates {
		fmt.Fprintf(&b, "\n- predicate %d: %s", o.Index, o.Status)
		if o.Reason != "" {
			b.WriteString(" " + o.Reason)
		}
		if observed, err := encode(o.Observed); err == nil && len(o.Observed) > 0 {
			b.WriteString(", observed (untrusted page content) " + string(observed))
		}
	}
	return b.String()
}
