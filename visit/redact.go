package visit

import (
	"context"
	"errors"
	"strings"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
)

// minSecret is the length from which on a secret is looked for outside its field,
// in characters: shorter ones are part of too many words.
const minSecret = 4

// redacted returns the error of a page without what the page must not say: a
// script that throws can put anything into its exception.
func redacted(ctx context.Context, tab *provider.Tab, err error) error {
	var script *driver.ScriptError
	if !errors.As(err, &script) {
		return err
	}
	reading, readErr := tab.Page.Read(ctx, cdp.ReadOptions{Scope: cdp.ScopePointing})
	if readErr != nil {
		return Failure(CodeEval, nil, "the script failed, and the page could not be asked what of the reason is secret")
	}
	message := script.Error()
	for _, d := range reading.Documents {
		for _, secret := range d.Facts.Secrets {
			if len([]rune(secret)) >= minSecret {
				message = strings.ReplaceAll(message, secret, "[secret]")
			}
		}
	}
	return Failure(CodeEval, nil, "%s", message)
}
