package native

import (
	"context"
	"fmt"
	"log/slog"
)

// A quietLog logs what another part of the program has to say without the words of
// errors, in which a page's may be: of an error it has the type.
type quietLog struct{ slog.Handler }

// Handle implements slog.Handler.
func (q quietLog) Handle(ctx context.Context, r slog.Record) error {
	quiet := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		if err, ok := a.Value.Any().(error); ok {
			a.Value = slog.StringValue(fmt.Sprintf("%T", err))
		}
		quiet.AddAttrs(a)
		return true
	})
	return q.Handler.Handle(ctx, quiet)
}

// WithAttrs implements slog.Handler.
func (q quietLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return quietLog{q.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (q quietLog) WithGroup(name string) slog.Handler { return quietLog{q.Handler.WithGroup(name)} }
