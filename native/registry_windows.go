package native

import (
	"errors"

	"golang.org/x/sys/windows/registry"
)

// userRegistry is the registry itself.
type userRegistry struct{}

// Value implements Registry.
func (userRegistry) Value(key string) (string, bool, error) {
	k, err := registry.OpenKey(registry.CURRENT_USER, key, registry.QUERY_VALUE)
	if err == nil {
		defer k.Close()
		var value string
		if value, _, err = k.GetStringValue(""); err == nil {
			return value, true, nil
		}
	}
	if errors.Is(err, registry.ErrNotExist) {
		err = nil
	}
	return "", false, err
}

// Set implements Registry.
func (userRegistry) Set(key, value string) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, key, registry.SET_VALUE)
	if err != nil {
		return err
	}
	return errors.Join(k.SetStringValue("", value), k.Close())
}

// Delete implements Registry.
func (userRegistry) Delete(key string) error {
	err := registry.DeleteKey(registry.CURRENT_USER, key)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	return err
}
