//go:build !unix

package subprocess_test

// alive cannot be told.
func alive(int) bool { return false }
