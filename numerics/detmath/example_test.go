package detmath_test

import (
	"fmt"

	"openloop/numerics/detmath"
)

func ExampleExp() {
	fmt.Println(detmath.Exp(1))
	fmt.Println(detmath.Exp(-0.5))
	// Output:
	// 2.718281828459045
	// 0.6065306597126334
}

func ExamplePow() {
	fmt.Println(detmath.Pow(10, 15), detmath.Pow(2, 0.5))
	// Output: 1e+15 1.4142135623730951
}

// The two-sided 95% interval of a normal variable, and back. The float64 nearest
// to 0.975 lies below it, and so does its quantile below 1.95996398454005424.
func ExampleNormQuantile() {
	z := detmath.NormQuantile(0.975)
	fmt.Println(z, detmath.NormCDF(z))
	// Output: 1.9599639845400538 0.975
}
