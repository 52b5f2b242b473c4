package oracle

import (
	"slices"
	"strings"
	"unicode"
)

// What a word of a field's name, id or label says of it when it is secret; of
// two words, written as one.
var secretWords = []string{
	"password", "passwd", "pwd", "passcode", "passphrase", "pin", "otp", "cvc", "cvv", "csc",
	"secret", "token", "apikey", "ssn", "securitycode", "cardnumber",
}

// minSecret is how many characters a secret has that is hidden elsewhere too.
const minSecret = 4

const hidden = "[secret]"

// secret says whether what is in a field is never told.
func (b *builder) secret(n *axNode) bool {
	return secretNode(n.dom) || saysSecret(n.name)
}

func secretNode(d *domNode) bool {
	if d == nil {
		return false
	}
	if d.covered || d.attr("type") == "password" || saysSecret(d.attr("name")) || saysSecret(d.attr("id")) {
		return true
	}
	return slices.ContainsFunc(strings.Fields(strings.ToLower(d.attr("autocomplete"))), func(token string) bool {
		return strings.HasPrefix(token, "cc-") || token == "one-time-code" || token == "current-password" || token == "new-password"
	})
}

func saysSecret(name string) bool {
	last := ""
	for _, w := range splitWords(name) {
		if slices.Contains(secretWords, w) || slices.Contains(secretWords, last+w) {
			return true
		}
		last = w
	}
	return false
}

// splitWords splits a name where a word of it ends: at what is no letter, and
// before a capital that follows a small letter or begins a word.
func splitWords(name string) []string {
	var words []string
	runes := []rune(name)
	begin := 0
	end := func(at int) {
		if at > begin {
			words = append(words, strings.ToLower(string(runes[begin:at])))
		}
		begin = at
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			end(i)
			begin = i + 1
		case i > 0 && unicode.IsUpper(r):
			nextSmall := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && nextSmall {
				end(i)
			}
		}
	}
	end(len(runes))
	return words
}

// hideSecrets puts a mark in the place of every secret of this document that
// stands elsewhere in it.
func (b *builder) hideSecrets(root *Element) {
	secrets := b.secretValues()
	if len(secrets) == 0 {
		return
	}
	var hide func(*Element)
	hide = func(e *Element) {
		for _, s := range secrets {
			e.Title, e.URL, e.Text = hideIn(e.Title, s), hideIn(e.URL, s), hideIn(e.Text, s)
		}
		for _, kid := range e.Children {
			hide(kid)
		}
	}
	hide(root)
}

func (b *builder) secretValues() []string {
	named := map[*domNode]string{}
	b.each(func(n *axNode) {
		if n.dom != nil {
			named[n.dom] = n.name
		}
	})
	var secrets []string
	for _, d := range b.frame.doc.nodes {
		if d.value == "" || d.tag != "input" && d.tag != "textarea" || !typedIn(d) {
			continue
		}
		if (secretNode(d) || saysSecret(named[d])) && len([]rune(d.value)) >= minSecret {
			secrets = append(secrets, d.value)
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	return secrets
}

// typedIn says whether the user types in the field.
func typedIn(d *domNode) bool {
	switch d.attr("type") {
	case "hidden", "submit", "button", "reset", "image", "checkbox", "radio", "file":
		return false
	}
	return true
}

// hideIn hides a secret where it stands as a whole word.
func hideIn(text, secret string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, secret)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		after := at + len(secret)
		if inWord(lastRune(text[:at])) || inWord(firstRune(text[after:])) {
			b.WriteString(text[:after])
		} else {
			b.WriteString(text[:at] + hidden)
		}
		text = text[after:]
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

func lastRune(s string) rune {
	runes := []rune(s)
	if len(runes) == 0 {
		return 0
	}
	return runes[len(runes)-1]
}
