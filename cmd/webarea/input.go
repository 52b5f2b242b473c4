package main

import (
	"fmt"
	"io"
)

// readAtMost reads all of r, called name, unless that is more than most bytes.
func readAtMost(r io.Reader, most int64, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("reading %s: it has more than %d MB", name, most>>20)
	}
	return data, nil
}
