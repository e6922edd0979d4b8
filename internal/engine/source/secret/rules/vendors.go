package rules

// Vendors are the families of rules that need nothing but a table, in the order in which they name what several of them find.
func Vendors() (out []Rule) {
	for _, family := range [...][]Rule{
		cloudRules(), vcsRules(), aiRules(), chatRules(), paymentRules(), buildRules(), mailRules(), monitorRules(), serviceRules(),
		prefixRules(), {vendorKey(), vendorKeyBeside()},
	} {
		out = append(out, family...)
	}
	return out
}
