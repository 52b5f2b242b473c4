//go:build !windows

package native

import "errors"

// errNoRegistry is said where a browser of Windows is asked for elsewhere.
var errNoRegistry = errors.New("this system has no registry")

// userRegistry stands for the registry where there is none.
type userRegistry struct{}

// Value implements Registry.
func (userRegistry) Value(string) (string, bool, error) { return "", false, nil }

// Set implements Registry.
func (userRegistry) Set(string, string) error { return errNoRegistry }

// Delete implements Registry.
func (userRegistry) Delete(string) error { return errNoRegistry }
