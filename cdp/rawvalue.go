package cdp

import "github.com/chromedp/cdproto/cdp/jsonv2"

// rawValue is a part of a result that is decoded later, into what its reader knows
// it to be.
type rawValue struct{ raw jsonv2.Value }

// UnmarshalJSON keeps the bytes.
func (v *rawValue) UnmarshalJSON(b []byte) error {
	v.raw = append(v.raw[:0], b...)
	return nil
}

func (v rawValue) decode(into any) error {
	if len(v.raw) == 0 {
		return nil
	}
	return jsonv2.Unmarshal(v.raw, into, tolerant)
}
