package testpages_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/webarea/webarea/testpages"
)

// A page is opened, something in it is pointed at, and the answer is what an agent
// would be told. In a test of yours, t is its *testing.T.
func ExampleOpen() {
	run(func(t testpages.TB) {
		page := testpages.Open(t, "cart.html")
		page.SelectText("two loaves")
		answer := page.Elements(testpages.Pointing)
		fmt.Print(testpages.Format(answer.Root))
	})
	// Output:
	// Application "Chromium"
	//   Window focused
	//     Window/tab focused "Your cart"
	//       Document focused "Your cart" <http://fixture/cart.html> language="en"
	//         Group/main
	//           List "Bread"
	//             Row "two loaves of rye"
	//               Text selected: "two loaves"
	//             Row selected "one baguette"
}

// run calls a test as the testing package would.
func run(test func(testpages.TB)) {
	ctx, cancel := context.WithCancel(context.Background())
	t := &testRun{ctx: ctx}
	test(t)
	cancel()
	for _, f := range slices.Backward(t.cleanups) {
		f()
	}
}

type testRun struct {
	ctx      context.Context
	cleanups []func()
}

func (t *testRun) Helper()                           {}
func (t *testRun) Logf(string, ...any)               {}
func (t *testRun) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (t *testRun) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (t *testRun) Cleanup(f func())                  { t.cleanups = append(t.cleanups, f) }
func (t *testRun) Context() context.Context          { return t.ctx }
