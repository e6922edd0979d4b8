package look

// Set is a set of classes of bytes. Readers ask for a set instead of comparing bytes one by one: it is one load from a table,
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
	BareEnd     // what ends a value without quotes
	KeyMark     // the marks that keys, tokens and passwords have besides those of names
	Vowel       // a letter that is spoken alone, y among them
	Base32Digit // 2 to 7
	Mask        // what Mask and people write over a value
	Print       // ASCII that is shown, and the space
	Delete      // the control character behind the letters
	Escape      // a backslash
	Gap         // what is between the properties of an object: , { ;
	Tuple       // what is between the names of a list besides blanks: , : $
	Field       // what divides the settings on a line: & ;
	Semicolon
	URLEnd  // what ends a URL besides blanks
	URLMark // what a token in a URL has besides the characters of tokens: % + =
	User    // what the name of a user has besides that of a name: @ +
	Comma
	LineJoin // , and +, which join the lines of a literal
	Bracket  // [ ] (
	Colon
	Dollar
	Header  // what is between the name of a header and its value besides blanks and quotes
	Comment // what comments begin with: / # *
	Joint   // what joins the literals of a key besides Joiner: , ( )
	Joiner  // what joins two literals besides blanks
	Number  // what a number has besides hexadecimal digits: 0x, 1L, 2u, -3
	Type    // what the name of a type has besides letters: &T, List<T>, []T, T?
	Callee  // what the name of a called function has besides that of a name: []byte(, &T(, ns::f(

	Letter = Lower | Upper
	Alnum  = Letter | Digit
	Hex    = Digit | HexLetter
	Word   = Alnum | Underscore
	Join   = Dash | Dot // what joins the parts of a name
	Name   = Word | Join
	Token  = Name | Tilde
	Base64 = Alnum | Slash | Equal
	Splice = Blank | Line | Joiner
	Bound  = Space | Quote | Escape | Field
	Key    = Alnum | KeyMark
)

// classes has the classes of each byte.
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
