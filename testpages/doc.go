// Package testpages is a harness for tests about what a page shows: it opens a
// page in a real browser without a window, points at something in it as a person
// would, and gives what Webarea answers about it, to look into or to compare with
// a golden file.
//
//	func TestCart(t *testing.T) {
//		page := testpages.Open(t, "cart.html")
//		page.SelectText("two loaves")
//		page.Golden(testpages.Pointing, "testdata/cart.pointing.golden")
//	}
//
// The page comes from the folder testdata, or from [Files], and can reach nothing
// else: no other host answers. It is served as http://fixture/cart.html, and the
// same files are there as http://other-site/ for frames of another site; in HTML
// files {{other-site}} is that address.
//
// One browser serves all tests of a test binary. The first Open starts it, pages
// may be open in parallel, each with cookies and storage of its own, and when the
// test binary ends, however it ends, the browser ends with it and leaves nothing
// behind. Which browser that is says $WEBAREA_BROWSER, or else the first one in
// the usual places.
//
// The package owns the browser and the pages it opened. It decides nothing about
// what an answer says.
package testpages
