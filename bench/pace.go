package main

import "time"

// leastRounds is how often what is cheap of a page is measured at least, whatever that
// takes: the median of fewer turns with whatever else the machine does.
const leastRounds = 5

// dearShare is the part of a page's time that goes to what is dear: the whole tree of a
// large page, and the reads that are compared with it, take a hundred times as long as the
// node that has the focus.
const dearShare = 2. / 3

// isDear tells whether something takes longer the larger the page is.
func isDear(what string) bool { return what != floorWhat && what != pointingWhat }

// A turn is one round of measurements of a page in each of its states.
type turn int

// The turns: of all of them, of those that are cheap, of none any more.
const (
	wholeTurn turn = iota
	cheapTurn
	noTurn
)

// A pace says of a page what is measured next, so that what is cheap is measured more
// often than what is dear, and both beside each other all the time.
type pace struct {
	rounds int       // how often each is measured at most
	until  time.Time // when its time is over
	wholes int       // how many turns were whole
	all    int       // how many there were
	// spent is what they took, inWhole what whole ones did, and dear what of that was dear.
	spent, inWhole, dear time.Duration
}

// next says which turn it is: a whole one first.
func (p *pace) next(now time.Time) turn {
	switch {
	case p.all == 0:
		return wholeTurn
	case p.wholes >= p.rounds:
		return noTurn
	case now.After(p.until) && p.all >= min(leastRounds, p.rounds):
		return noTurn
	case now.After(p.until):
		return cheapTurn
	case p.all < p.rounds && float64(p.dear) > dearShare*float64(p.spent):
		return cheapTurn
	case now.Add(p.inWhole / time.Duration(2*p.wholes)).Before(p.until):
		return wholeTurn
	case p.all < p.rounds:
		// There is no time left for most of a whole one.
		return cheapTurn
	}
	return noTurn
}

// took notes what a turn took, and what of that was dear.
func (p *pace) took(t turn, spent, dear time.Duration) {
	p.all++
	p.spent += spent
	p.dear += dear
	if t == wholeTurn {
		p.wholes++
		p.inWhole += spent
	}
}
