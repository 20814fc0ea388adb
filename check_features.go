package blake2btest

import (
	"fmt"
	"strings"
)

var featuresChecks = []*Check{{
	Name:   "features/required",
	Must:   "the port offers what the tester requires",
	Source: "option require",
	inspect: func(x *run) {
		r := &x.result
		var missing []string
		for _, f := range x.Require {
			if x.offers(f) {
				r.Tested++
				continue
			}
			why, ok := x.Missing[f]
			if !ok {
				why = "there is no such feature"
			}
			missing = append(missing, fmt.Sprintf("%s (%s)", f, why))
		}
		if len(missing) > 0 {
			r.Outcome, r.Wrong = Fail, "the port does not offer "+strings.Join(missing, ", ")
		}
	},
}}
