// Package holder mentions a prepared rule and does nothing with it, as most packages that import eliminate.
package holder

import "github.com/tabletop-rules/rules/runtime/odds/eliminate"

var Held *eliminate.Rule
