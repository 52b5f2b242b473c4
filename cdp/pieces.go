package cdp

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// pieceRecords is how many records the script hands over at once of a large document:
// half a megabyte or so, of which we hold one or two at a time, and enough that the round
// trip is little beside them.
const pieceRecords = 6000

// mostRoom bounds the records that room is made for before they come.
const mostRoom = 1 << 20

var errPieceGone = errors.New("the rest of what our script read is gone")

// takePieces takes the records that were not handed over at once. All of them were made
// in one go, so that they are the page of one moment, whatever it does meanwhile.
func (p *Page) takePieces(ctx context.Context, r *Reading, visits []*visit) error {
	var late []*visit
	for _, v := range visits {
		if v.doc.Err == nil && v.doc.Facts.Rest > 0 {
			late = append(late, v)
		}
	}
	if len(late) > 0 {
		r.Trips++
	}
	for i, v := range late {
		wait, cancel := v.share(ctx, v == visits[0])
		err := v.takePieces(wait)
		cancel()
		if err == nil {
			continue
		}
		v.dropPieces(ctx)
		v.doc.Err, v.doc.Facts.Records, v.ask = err, nil, nil
		if v == visits[0] || ctx.Err() != nil {
			for _, other := range late[i+1:] {
				other.dropPieces(ctx)
			}
			return err
		}
	}
	return nil
}

// takePieces asks for the next piece before it decodes one, so that the page writes
// while we read.
func (v *visit) takePieces(ctx context.Context) error {
	f, from := &v.doc.Facts, link{v.id, v.session, v.world}
	all := make([]Record, len(f.Records), len(f.Records)+min(f.Rest, mostRoom))
	copy(all, f.Records)
	next := from.ask(ctx, "nextPiece", v.reader)
	for f.Rest > 0 {
		var text *string
		if err := next.value(ctx, &text); err != nil {
			return fmt.Errorf("asking for the rest of a document: %w", err)
		}
		if text == nil {
			return errPieceGone
		}
		if f.Rest > v.pieces {
			next = from.ask(ctx, "nextPiece", v.reader)
		}
		// Decoded in place, where there is room.
		piece := all[len(all):]
		if err := jsonv2.Unmarshal([]byte(*text), &piece, tolerant); err != nil {
			return fmt.Errorf("decoding the rest of a document: %w", err)
		}
		if len(piece) == 0 {
			return errPieceGone
		}
		settle(piece)
		all, f.Rest = append(all, piece...), f.Rest-len(piece)
	}
	f.Records = all
	return nil
}

// dropPieces has the script let go of what nobody will ask for. Nobody waits for that:
// where it does not come there, the script does so by itself.
func (v *visit) dropPieces(ctx context.Context) {
	link{v.id, v.session, v.world}.ask(context.WithoutCancel(ctx), "drop", v.reader)
}
