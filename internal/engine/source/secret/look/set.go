package look

// Set is a set of classes of bytes. Readers ask for a set instead of comparing bytes one by one, because that is one load from a table
// and the set has a name.
type Set uint64

const (
	Lower Set = 1 << iota
	Upper
	Digit
	HexLetter
	Underscore
	Dash
	Dot
	Tilde       // ~
	Slash       // + and /, the marks of base64
	Equal       // =
	Blank       // space and tab
	Line        // the ends of lines
	Space       // every byte up to the space
	Quote       // " ' and `
	Close       // ) ] }
	BareEnd     // marks that end a value without quotes
	KeyMark     // the marks that keys, tokens and passwords have besides those of names
	Vowel       // a vowel or y
	Base32Digit // 2 to 7
	Mask        // written over a value by Mask and by people
	Print       // printable ASCII, the space included
	Delete      // the control character DEL
	Escape      // a backslash
	Gap         // between the properties of an object: , { ;
	Tuple       // between the names of a list besides blanks: , : $
	Field       // between the settings on a line: & ;
	Semicolon
	URLEnd  // marks that end a URL, besides blanks
	URLMark // allowed in a token in a URL besides Token: % + =
	User    // allowed in the name of a user besides Name: @ +
	Comma
	LineJoin // , and +, which join the lines of a literal
	Bracket  // [ ] (
	Colon
	Dollar
	Header  // between the name of a header and its value besides blanks and quotes
	Comment // marks that begin comments: / # *
	Joint   // between the literals of a key besides Joiner: , ( )
	Joiner  // between two joined literals besides blanks: + . \ &
	RunMark // the marks of long values: _-+/=.~%!#$^*
	Number  // allowed in a number besides hexadecimal digits: 0x, 1L, 2u, -3
	Type    // allowed in the name of a type besides Name: &T, List<T>, []T, T?
	Callee  // allowed in the name of a called function besides Name: []byte(, &T(, ns::f(

	Letter = Lower | Upper
	Alnum  = Letter | Digit
	Hex    = Digit | HexLetter
	Word   = Alnum | Underscore
	Join   = Dash | Dot // between the parts of a name
	Name   = Word | Join
	Token  = Name | Tilde
	Base64 = Alnum | Slash | Equal
	Splice = Blank | Line | Joiner
	Bound  = Space | Quote | Escape | Field
	Key    = Alnum | KeyMark
)

// classes are the classes of each byte.
var classes = newCharSets()

func newCharSets() (sets [256]Set) {
	for _, row := range [...]struct {
		chars string
		set   Set
	}{
		{"abcdefghijklmnopqrstuvwxyz", Lower},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZ", Upper},
		{"0123456789", Digit},
		{"abcdefABCDEF", HexLetter},
		{"_", Underscore},
		{"-", Dash},
		{".", Dot},
		{"~", Tilde},
		{"+/", Slash},
		{"=", Equal},
		{" \t", Blank},
		{"\r\n", Line},
		{"\"'`", Quote},
		{")]}", Close},
		{"\"'`,;<>)}]|&", BareEnd},
		{"_-+/=.~!@#$%^&*:?|", KeyMark},
		{"aeiouyAEIOUY", Vowel},
		{"234567", Base32Digit},
		{"xX*", Mask},
		{"\x7f", Delete},
		{"\\", Escape},
		{",{;", Gap},
		{",:$", Tuple},
		{"&;", Field},
		{";", Semicolon},
		{"+.\\&", Joiner},
		{"\"'`<>\\(),", URLEnd},
		{"%+=", URLMark},
		{"@+", User},
		{"/#*", Comment},
		{"_-+/=.~%!#$^*", RunMark},
		{",()", Joint},
		{",", Comma},
		{",+", LineJoin},
		{"[](", Bracket},
		{":", Colon},
		{"$", Dollar},
		{":,=>])", Header},
		{"xXlLuU-", Number},
		{"&'<>[]?|", Type},
		{"[]&*:@$", Callee},
	} {
		for _, c := range []byte(row.chars) {
			sets[c] |= row.set
		}
	}
	for c := range ' ' + 1 {
		sets[c] |= Space
	}
	for c := ' '; c <= '~'; c++ {
		sets[c] |= Print
	}
	return sets
}
