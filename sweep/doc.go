// Package sweep is many jobs worked through by several workers, and their results
// handed over in the order of the jobs.
//
// It owns which worker does which job, when a job is tried again, and how much of what
// was found waits for its turn. It never knows what a job is, and it starts and ends
// nothing but its own goroutines.
package sweep
