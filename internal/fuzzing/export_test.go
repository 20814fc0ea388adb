package fuzzing

import "blake2btest"

// Easier says whether a Case is easier to read than another.
func Easier(a, b blake2btest.Case) bool { return rankOf(a).compare(rankOf(b)) < 0 }
