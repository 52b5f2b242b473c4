package mapper

// A Redactor takes secret values out of words that are said without being mapped. It
// is for one goroutine.
type Redactor struct{ r *redactor }

// NewRedactor makes one for the values that must not be said.
func NewRedactor(values []string) *Redactor { return &Redactor{newRedactor(values)} }

// Words gives words without the values; see the secrets of a Document. Where they
// were cut at their end, that may go through a value: cut says so.
func (r *Redactor) Words(s string, cut bool) string {
	if cut {
		return r.r.cut(r.r.said(s))
	}
	return r.r.said(s)
}

// Address gives an address without the values, empty where it is none any more, or
// one that is not told: of a script, or of data.
func (r *Redactor) Address(s string) string { return r.r.address(address(s)) }
