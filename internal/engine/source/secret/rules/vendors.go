package rules

// Vendors returns the families of rules that need only a table. Of several rules that find the same value, the first names it.
func Vendors() (out []Rule) {
	for _, family := range [...][]Rule{
		cloudRules(), vcsRules(), aiRules(), chatRules(), paymentRules(), buildRules(), mailRules(), monitorRules(), serviceRules(),
		prefixRules(), {vendorKey(), vendorKeyBeside()},
	} {
		out = append(out, family...)
	}
	return out
}
