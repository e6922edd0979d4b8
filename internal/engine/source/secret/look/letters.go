package look

// letterPairs is a table of how much likelier one letter follows another in words than by chance: 'n' means as likely, and a step up or
// down is a factor of the square root of two. The last row and column are for the beginning and the end of a word. It was counted in the
// distinct words of 4 to 16 letters that occur three times or more in some millions of lines of code, comments and manuals in Go, Java,
// Python, Rust and TypeScript.
var letterPairs = [27]string{
	"kopokkmfmcjqnqfngqorljhhjfo", // a
	"qonnrnhfpidrihojgnnjoffakdq", // b
	"qlnlqlepnaoohgridnlqmfbbjcp", // c
	"ommnsligqgcjiinidlmhmieejat", // d
	"nkoqmmkfidfnmphlirqnhkimhdr", // e
	"qnnnqqharcaohhpfcnllndedlcq", // f
	"oejerhlmodgmjmohdpnimhddhhu", // g
	"riigsgfhqfgjkjqhdnjnmghdmgq", // h
	"nlpnnmneedgontpldlppfnaiamk", // i
	"qmmkrkhhoiijkirkkhpjrjjhdho", // j
	"nijjsikjqefmjlmkhkplpdjekds", // k
	"qiilsigdrdgpghqjbfnmmjbepbq", // l
	"snihseeeqegjnhpqefmhoffajbp", // m
	"pgopplrhogjiikoheiprkkfcheq", // n
	"klnnijlgkfjppsmnarnoommihcm", // o
	"qghirhgmpahpigqoernomieakao", // p
	"mgimojglldgmkjgillmjvgldjdq", // q
	"qhmlsikdqdjjmkpjampnlkgclbq", // r
	"lcneqhenpcikihnmhhoroghakdt", // s
	"pfkhshdnsackhgpiapomlfhbmfr", // t
	"npnlnkmendfporjobqpqddcgbgk", // u
	"rgjgufgfregjkgoifhlghfcchep", // v
	"sgjkrhjorbhlhoqieookgfihgeq", // w
	"mjolqkbkqegjkjirgjlrlieomer", // x
	"mjmjlijhmdfmnnkpcionjghceiv", // y
	"rfjfufcmqhhkkioccikilhcfkmq", // z
	"pnqpoomlojkmonlpipqnmklggga", // beginning
}

// wordLikelihood returns the logarithm of how much likelier letters are a word than chance, in half bits. Case does not matter; any other
// byte ends a word.
func wordLikelihood(w []byte) int {
	n, last := 0, byte(26)
	for _, c := range w {
		c = min((c|0x20)-'a', 26)
		n += int(letterPairs[last][c]) - 'n'
		last = c
	}
	return n + int(letterPairs[last][26]) - 'n'
}

// isRandomLetters reports whether letters are no word: the longer they are, the likelier they must be a word. It recognises as random 73
// of 100 random runs of five letters, 86 of six, 92 of seven and 96 of eight. It is wrong for three of 100 words, mostly abbreviations
// and names.
func isRandomLetters(w []byte) bool { return wordLikelihood(w) < 2*(len(w)-8) }
