package native

import (
	"os"
	"slices"
	"sync"
	"time"
)

// used tells the gateways of this user which browser was used last: by the time of
// change of the host's socket, which is set whenever a window with a shared tab gains
// the focus.
type used struct {
	// mu guards where the socket is, and which time that a window had the focus was the
	// last, as the extension numbers them.
	mu   sync.Mutex
	path string
	last int64
}

// at notes where the socket is.
func (u *used) at(path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.path = path
}

// see notes what is said of the windows.
func (u *used) see(windows []windowFacts) {
	u.mu.Lock()
	defer u.mu.Unlock()
	i := slices.IndexFunc(windows, func(w windowFacts) bool { return w.Focused && w.Order != u.last })
	if i < 0 || u.path == "" {
		return
	}
	u.last = windows[i].Order
	now := time.Now()
	// A socket that is not there any more is of a host that ends.
	_ = os.Chtimes(u.path, now, now)
}
