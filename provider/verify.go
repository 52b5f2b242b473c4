package provider

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/webarea/webarea/cdp"
)

// The outcomes of a predicate, and of all together.
const (
	Satisfied   = "satisfied"
	Unsatisfied = "unsatisfied"
	Unknown     = "unknown" // never implies success
)

// Why an outcome is unknown.
const (
	UnknownUnobserved  = "observation_unavailable" // what would settle it could not be read
	UnknownMultiMatch  = "multi_match"             // several elements match where one is meant
	UnknownUnsupported = "unsupported_predicate"   // the browser does not tell it of such an element
	UnknownMissing     = "target_missing"          // the window has gone
	UnknownUnstable    = "stability_unproven"      // it was so, but not long enough
	UnknownInvalid     = "invalid_predicate"       // it asks for nothing, or for two things
)

// A VerifyQuery asks whether a window is in a state, and waits for it to be.
type VerifyQuery struct {
	WindowAddress
	Expect []Predicate
	// Timeout is how long it is waited for; 0 takes one sample.
	Timeout time.Duration
	// Stable is how many samples one after another must satisfy; Sent says that the
	// number was asked for.
	Stable  int
	Sent    bool
	Picture bool
	Most    int // the long edge of the picture, pixels; 0: as it is

	// every is how long after a sample the next is taken at the latest; 0: wake.
	every time.Duration
	// life is how long a reading may be of a page that is still the same; 0: readingLife.
	life time.Duration
	// whole has each sample read all of the page.
	whole bool
}

// A Verdict is what a VerifyQuery was found to be.
type Verdict struct {
	Status     string    `json:"status"`
	Stable     bool      `json:"stable"`
	ElapsedMS  int64     `json:"elapsed_ms"`
	Samples    int       `json:"samples"`
	Predicates []Outcome `json:"predicates"`

	*Screenshot
	PictureError *PictureError `json:"screenshot_error,omitempty"`

	PNG []byte `json:"-"`

	reads int // samples for which the page was read
}

// An Outcome is that of one predicate.
type Outcome struct {
	Index    int            `json:"index"`
	Status   string         `json:"status"`
	Reason   string         `json:"unknown_reason,omitempty"`
	Observed map[string]any `json:"observed"`

	// keys are the elements that it is about.
	keys []string
}

const (
	// wake is how long after a sample the next is taken at the latest, where nothing
	// tells of a change.
	wake = 100 * time.Millisecond

	// oneSample bounds the one sample of a question that does not wait.
	oneSample = 3 * time.Second

	// readingLife is how long after it was read a page is taken for what it was then, as
	// long as it says itself that it is still: see cdp.Page.IsStill for what it does not say.
	readingLife = 2 * time.Second

	// lastPicture is how much later than the verdict an answer may come for its picture.
	lastPicture = 2 * time.Second

	// sampleShare of the time that a page's script may take for one sample.
	sampleShare = 0.6
)

// Verify looks whether a window is in a state, again and again until it is, and was
// for so many samples, or the time is over. It publishes no snapshot. The error is an
// *Error.
func (p *Provider) Verify(ctx context.Context, q VerifyQuery) (*Verdict, error) {
	begun := time.Now()
	limit := q.Timeout
	if limit == 0 {
		limit = oneSample
	}
	parent := ctx
	ctx, cancel := context.WithDeadline(ctx, begun.Add(limit))
	defer cancel()
	v := &verifier{p: p, q: q, last: map[string]bool{}}
	defer v.end(parent)
	if err := v.find(ctx); err != nil {
		return nil, err
	}
	need := max(1, q.Stable)
	if q.Timeout == 0 && !q.Sent {
		need = 1
	}
	var verdict *Verdict
	var counted time.Time
	for held := 0; ; {
		outcomes, stirred, err := v.sample(ctx)
		if err != nil {
			return nil, err
		}
		v.samples++
		status := together(outcomes)
		switch {
		case status != Satisfied:
			held = 0
		case held == 0 || stirred:
			held, counted = 1, time.Now()
		case time.Since(counted) >= wake:
			// What changes wakes for more samples than are told apart by their time.
			held, counted = held+1, time.Now()
		}
		cut := ctx.Err() != nil && verdict != nil && status != Satisfied
		if !cut {
			verdict = &Verdict{Status: status, Stable: held >= need, Samples: v.samples, Predicates: outcomes}
		}
		if held >= need || q.Timeout == 0 || v.isSettled(outcomes) || !v.wait(ctx) {
			break
		}
	}
	verdict.reads = v.reads
	verdict.finish()
	verdict.ElapsedMS = time.Since(begun).Milliseconds()
	if q.Picture && v.at != nil {
		v.picture(parent, verdict)
	}
	if v.at != nil && !v.gone && !p.isShared(v.at.tab) {
		return nil, notShared()
	}
	return verdict, nil
}

// finish says of what was satisfied for too short a time that it is not known to hold.
func (v *Verdict) finish() {
	if v.Status != Satisfied || v.Stable {
		return
	}
	v.Status = Unknown
	for i := range v.Predicates {
		v.Predicates[i].Status, v.Predicates[i].Reason = Unknown, UnknownUnstable
	}
}

// together is the outcome of all predicates.
func together(outcomes []Outcome) string {
	status := Satisfied
	for _, o := range outcomes {
		switch o.Status {
		case Unsatisfied:
			return Unsatisfied
		case Unknown:
			status = Unknown
		}
	}
	return status
}

// A verifier takes samples.
type verifier struct {
	p       *Provider
	q       VerifyQuery
	at      *spotted // nil: there is no such window
	gone    bool     // the window or the tab went while it was watched
	samples int
	stirs   chan struct{}
	watch   *cdp.Watch
	watched *Tab
	last    map[string]bool // the elements that the last sample was about
	sight   *sight          // nil: no reading that later samples could be of
	since   cdp.Marks       // of the last reading
	hidden  map[string]bool // the elements that went while it was taken
	reads   int
}

// A sight is what was seen of a page, for as long as that is still it. It holds no
// secrets: they were taken out when it was read.
type sight struct {
	tab  *Tab
	at   time.Time
	seen observation
}

// find finds the tab, which stays the one that is looked at.
func (v *verifier) find(ctx context.Context) error {
	at, err := v.p.tabAt(ctx, v.q.WindowAddress)
	var told *Error
	if errors.As(err, &told) && told.Code == CodeWindowNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	v.at = at
	v.stirs = make(chan struct{}, 1)
	v.listen(at.tab)
	return nil
}

func (v *verifier) listen(t *Tab) {
	if t.Page == nil || v.watched == t {
		return
	}
	v.unlisten()
	v.watched = t
	v.watch = t.Page.WatchChanges(func() {
		select {
		case v.stirs <- struct{}{}:
		default:
		}
	})
}

func (v *verifier) end(ctx context.Context) {
	if v.watch == nil {
		return
	}
	v.watched.Page.EndStirs(ctx)
	v.unlisten()
}

// unlisten ends the watch. Nobody waits for a page that does not answer.
func (v *verifier) unlisten() {
	if w := v.watch; w != nil {
		v.watch = nil
		v.p.closing.Go(w.Close)
	}
}

// wait waits for the page to tell of a change, or for the next sample to be due; false
// where the time is over.
func (v *verifier) wait(ctx context.Context) bool {
	timer := time.NewTimer(cmp.Or(v.q.every, wake))
	defer timer.Stop()
	select {
	case <-v.stirs:
	case <-timer.C:
	case <-ctx.Done():
		return false
	}
	return ctx.Err() == nil
}

// isSettled tells that no later sample can come out better.
func (v *verifier) isSettled(outcomes []Outcome) bool {
	return slices.ContainsFunc(outcomes, func(o Outcome) bool {
		return o.Reason == UnknownInvalid || o.Reason == UnknownMissing
	})
}

// An observation is what one sample saw.
type observation struct {
	present bool // the window is there
	at      *spotted
	title   string
	url     string
	state   string // document.readyState; empty: not known
	forest  *forest
	main    string // the key of the main document
}

// exhaustive tells whether what was not seen is not there.
func (o *observation) exhaustive() bool {
	return o.forest != nil && o.forest.whole && o.state != "loading"
}

// sample looks once. stirred says that what it is about was something else since the
// last sample.
func (v *verifier) sample(ctx context.Context) (outcomes []Outcome, stirred bool, err error) {
	o := &observation{}
	var touched func(key string) bool
	if v.at != nil {
		if touched, err = v.observe(ctx, o); err != nil {
			return nil, false, err
		}
	}
	about := map[string]bool{}
	for i, predicate := range v.q.Expect {
		outcome := v.judge(&predicate, o)
		outcome.Index = i
		outcomes = append(outcomes, outcome)
		for _, key := range outcome.keys {
			about[key] = true
			stirred = stirred || !v.last[key] || touched != nil && touched(key)
		}
		if predicate.Element != nil && len(outcome.keys) == 0 && touched != nil {
			// What is not there now may have been in between.
			stirred = stirred || touched(wentAway) || o.forest.anyTouched(touched, predicate.Element.Selector.Role)
		}
	}
	stirred = stirred && v.samples > 0
	v.last = about
	return outcomes, stirred, nil
}

// anyTouched tells whether an element that a person could act on, of the role if one is
// given, was changed.
func (f *forest) anyTouched(touched func(string) bool, role *string) bool {
	if f == nil {
		return false
	}
	for i := range f.rows {
		if r := &f.rows[i]; r.Actionable && (role == nil || strings.EqualFold(r.Role, *role)) && touched(f.details[i].key) {
			return true
		}
	}
	return false
}

// observe sees the tab.
func (v *verifier) observe(ctx context.Context, o *observation) (touched func(string) bool, err error) {
	tabID := v.p.TabID(v.at.tab)
	at, err := v.p.tabAt(ctx, WindowAddress{PID: v.q.PID, Window: v.q.Window, Tab: tabID})
	var told *Error
	if errors.As(err, &told) {
		switch told.Code {
		case CodeWindowNotFound, CodeNotShared, CodeTabNotFound, CodeBrowserGone:
			v.gone = true
			o.present = told.Code != CodeWindowNotFound && told.Code != CodeBrowserGone && v.hasWindow(ctx)
			return nil, nil
		}
		return nil, err
	}
	v.at = at
	v.listen(at.tab)
	o.present, o.at = true, at
	if at.tab.Page == nil {
		place, _ := at.tab.at()
		o.title, o.url = at.tab.disguise(place.Title, place.URL)
		return nil, nil
	}
	if slices.ContainsFunc(v.q.Expect, func(p Predicate) bool { return p.Window == nil }) {
		return v.read(ctx, o), nil
	}
	caption, err := at.tab.Page.Caption(ctx)
	if err == nil {
		r := redactorOf(caption.Secrets)
		o.title, o.url, o.state = strings.Join(strings.Fields(r.Words(caption.Title, false)), " "), r.Address(caption.URL), caption.State
		if at.order == 0 {
			o.at.active = caption.Visible
		}
		if at.bounds == nil && len(caption.Outer) == 4 {
			at.bounds = &Rect{caption.Outer[0], caption.Outer[1], caption.Outer[2], caption.Outer[3]}
		}
	}
	return nil, nil
}

// hasWindow tells whether the window still has another shared tab.
func (v *verifier) hasWindow(ctx context.Context) bool {
	all, err := v.p.spot(ctx, false)
	return err == nil && len(inWindow(all, v.q.Window)) > 0
}

// read reads the whole page, unless it is still what it was when it was read last.
func (v *verifier) read(ctx context.Context, o *observation) (touched func(string) bool) {
	page := o.at.tab.Page
	if k := v.sight; k != nil && k.tab == o.at.tab && time.Since(k.at) < cmp.Or(v.q.life, readingLife) && !v.q.whole && page.IsStill(ctx, v.since) {
		at, active := o.at, o.at.active
		if at.order == 0 {
			active = k.seen.at.active
		}
		*o = k.seen
		o.at = at
		o.at.active = active
		return func(string) bool { return false }
	}
	v.sight = nil
	opts := cdp.ReadOptions{Scope: cdp.ScopeRows, Stirs: true, Since: &v.since, Text: allWords, Seek: v.seek()}
	for _, p := range v.q.Expect {
		opts.Selected = opts.Selected || p.Selection != nil
	}
	if end, ok := ctx.Deadline(); ok {
		opts.Time = time.Duration(sampleShare * float64(time.Until(end)))
	}
	v.reads++
	reading, err := page.Read(ctx, opts)
	if err != nil {
		return nil
	}
	v.since = reading.Marks()
	o.forest = grow(reading, growth{words: allWords})
	main := reading.Documents[0]
	r := redactorFor(reading)
	o.title, o.url, o.state, o.main = strings.Join(strings.Fields(r.Words(main.Facts.Title, false)), " "), r.Address(main.Facts.URL), main.Facts.State, main.Key
	t := o.at.tab
	t.mu.Lock()
	t.keys = map[string]bool{}
	for _, d := range reading.Documents {
		t.keys[d.Key] = true
	}
	t.mu.Unlock()
	if o.at.order == 0 {
		o.at.active = main.Facts.Visible
	}
	v.sight = &sight{t, time.Now(), *o}
	hidden := hiddenIn(reading)
	touched, was := touchedIn(reading), v.hidden
	v.hidden = hidden
	for key := range hidden {
		if !was[key] {
			// The mark is of before it went: the next reading may find nothing changed.
			return func(key string) bool { return key == wentAway || touched(key) }
		}
	}
	return touched
}

// wentAway stands, among the keys of what was changed, for what is there no more.
const wentAway = "away"

// touchedIn tells which elements were changed since the last reading.
func touchedIn(r *cdp.Reading) func(string) bool {
	touched := map[string]bool{}
	for _, d := range r.Documents {
		if s := d.Facts.Stirred; d.Err == nil && (s == nil || s.Touched == nil) {
			touched[d.Key] = true
		} else if s != nil {
			touched[wentAway] = touched[wentAway] || s.Away
			for _, serial := range s.Touched {
				touched[elementKey(d.Key, serial)] = true
			}
		}
	}
	return func(key string) bool {
		document, _, _ := strings.Cut(key, "#")
		return touched[key] || touched[document]
	}
}

// hiddenIn tells which elements the script saw and the accessibility tree, asked after
// that, did not.
func hiddenIn(r *cdp.Reading) map[string]bool {
	hidden := map[string]bool{}
	for _, d := range r.Documents {
		for i := range d.Facts.Records {
			if rec := &d.Facts.Records[i]; rec.AX != nil && rec.AX.Hidden {
				hidden[elementKey(d.Key, rec.Serial)] = true
			}
		}
	}
	return hidden
}

// picture takes the final picture.
func (v *verifier) picture(ctx context.Context, verdict *Verdict) {
	ctx, cancel := context.WithTimeout(ctx, lastPicture)
	defer cancel()
	s := &State{}
	shot := v.p.beginPicture(ctx, v.at.tab, StateQuery{Picture: true, Most: v.q.Most})
	shot.into(s)
	verdict.Screenshot, verdict.PictureError, verdict.PNG = s.Screenshot, s.PictureError, s.PNG
}
