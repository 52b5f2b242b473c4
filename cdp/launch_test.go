package cdp

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

func TestSmoke(t *testing.T) {
	start := time.Now()
	b, err := Launch(context.Background(), LaunchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("up", time.Since(start), b.PID, b.home.dir)
	v, err := cdproto.Call(context.Background(), b.Conn.Browser(), browser.GetVersion, cdproto.Empty{})
	t.Log(v, err)
	r, err := cdproto.Call(context.Background(), b.Conn.Browser(), target.GetTargets, target.GetTargetsParams{})
	for _, i := range r.TargetInfos {
		t.Logf("%+v", i)
	}
	start = time.Now()
	t.Log(b.Close(), time.Since(start))
}
