package native

// A Registry is the part of Windows' registry that is the user's own. A key is named
// below HKEY_CURRENT_USER, and has one value, without a name. Its methods may be called
// by one caller at a time.
type Registry interface {
	// Value reads a key; there is none where it reports false.
	Value(key string) (string, bool, error)
	// Set makes a key, with those above it, or changes it.
	Set(key, value string) error
	// Delete takes a key away, but not those above it. One that is not there is no error.
	Delete(key string) error
}
