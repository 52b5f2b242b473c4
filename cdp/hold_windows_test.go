package cdp

// holderVariable is unused: what holds a browser here when we are killed is a job,
// and the profile's folder stays.
const holderVariable = "WEBAREA_TEST_HOLDER"

func holdBrowser() {}
