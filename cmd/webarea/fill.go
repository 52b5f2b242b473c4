package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// reference matches what is replaced in the arguments of a call by a value of an
// earlier call's answer.
var reference = regexp.MustCompile(`\$\{([^}]*)\}`)

// checkArguments finds what is wrong with a call's arguments before anything is done.
// earlier is how many calls come before it.
func checkArguments(text string, earlier int) error {
	refers := false
	for _, found := range reference.FindAllStringSubmatch(text, -1) {
		refers = true
		number, path, _ := strings.Cut(found[1], ".")
		n, err := strconv.Atoi(number)
		if err != nil || path == "" {
			return fmt.Errorf("%s must be the number of an earlier call and a path in its answer, such as ${1.root.id}", found[0])
		}
		if n < 1 || n > earlier {
			return fmt.Errorf("%s is about call %d, which is not an earlier one", found[0], n)
		}
	}
	if !refers {
		return checkObject(text)
	}
	return nil
}

func checkObject(text string) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &object); err != nil || object == nil {
		return fmt.Errorf("the arguments are not an object in JSON: %s", text)
	}
	return nil
}

// fill replaces the references in a call's arguments, which were checked.
func fill(text string, answers []any) (string, error) {
	var failed error
	filled := reference.ReplaceAllStringFunc(text, func(found string) string {
		number, path, _ := strings.Cut(found[2:len(found)-1], ".")
		n, _ := strconv.Atoi(number)
		value, err := lookUp(answers[n-1], path)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", found, err))
			return ""
		}
		return inserted(value)
	})
	if failed != nil {
		return "", failed
	}
	return filled, checkObject(filled)
}

// lookUp follows a path into a value.
func lookUp(value any, path string) (any, error) {
	for at := range strings.SplitSeq(path, ".") {
		var next any
		var ok bool
		switch in := value.(type) {
		case map[string]any:
			next, ok = in[at]
		case []any:
			i, err := strconv.Atoi(at)
			if ok = err == nil && i >= 0 && i < len(in); ok {
				next = in[i]
			}
		}
		if !ok {
			return nil, fmt.Errorf("the answer has no %q there", at)
		}
		value = next
	}
	return value, nil
}

// inserted is a value as it stands in JSON, a string without its quotes: so a page
// that chose the string cannot end it.
func inserted(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// What was decoded from JSON can be encoded.
	_ = e.Encode(value)
	text := strings.TrimSuffix(b.String(), "\n")
	if _, ok := value.(string); ok {
		text = text[1 : len(text)-1]
	}
	return text
}

// decodeAnswer decodes what a call answered; its numbers keep all their digits.
func decodeAnswer(structured []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(structured))
	d.UseNumber()
	var answer any
	if err := d.Decode(&answer); err != nil {
		return nil, fmt.Errorf("decoding the answer: %w", err)
	}
	return answer, nil
}
