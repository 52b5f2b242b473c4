package visit

import "errors"

// A stage is an error with the part of a visit that it ended.
type stage struct {
	name string
	err  error
}

func (s *stage) Error() string { return s.err.Error() }

func (s *stage) Unwrap() error { return s.err }

// stageOf names the part of a visit that an error ended.
func stageOf(err error) string {
	var s *stage
	if errors.As(err, &s) {
		return s.name
	}
	return "opening a tab"
}
