package rules

// Vendors returns the rules that need no code but a table. If several of them find the same value, the first gives the finding its name.
func Vendors() (out []Rule) {
	for _, family := range [...][]Rule{
		cloudRules(), vcsRules(), aiRules(), chatRules(), paymentRules(), buildRules(), mailRules(), monitorRules(), serviceRules(),
		prefixRules(), {vendorKey(), vendorKeyBeside()},
	} {
		out = append(out, family...)
	}
	return out
}
