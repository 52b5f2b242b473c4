package mcp

// tools are all the tools that agents can call.
var tools = []tool{
	getElements,
	locate,
	captureElement,
	getAccessibilityTree,
	getWindowState,
	verifyState,
	parseVisualRegions,
}
