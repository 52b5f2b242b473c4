package provider

import "context"

// An ahead is a look at a tab that began before the browser had said which window the tab
// is in: most questions are about the only tab that there is, and need not wait for that.
// Its zero value looks at none.
type ahead struct {
	tab  *Tab
	stop context.CancelFunc
	done chan struct{} // closed when seen is there
	seen *seen
}

// lookAhead begins to look at the tab that a question can only be about, if there is one
// and its browser has to be asked for its window. A picture's look is part of the picture.
func (p *Provider) lookAhead(ctx context.Context, q StateQuery) *ahead {
	var tab *Tab
	tabs := p.shared()
	for _, t := range tabs {
		if q.Tab == "" && len(tabs) == 1 || q.Tab != "" && p.TabID(t) == q.Tab {
			tab = t
		}
	}
	if tab == nil || tab.Page == nil || q.Picture {
		return &ahead{}
	}
	if _, told := tab.at(); told {
		return &ahead{}
	}
	ctx, stop := context.WithCancel(ctx)
	a := &ahead{tab: tab, stop: stop, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.seen = tab.look(ctx, q)
	}()
	return a
}

// of gives what was seen of a tab, nil where it was not looked at.
func (a *ahead) of(t *Tab) *seen {
	if a.tab == nil || a.tab != t {
		return nil
	}
	<-a.done
	return a.seen
}

// end ends a look that nobody wants.
func (a *ahead) end() {
	if a.tab != nil {
		a.stop()
		<-a.done
	}
}
