package secret

// follows has, for each letter, a bit for each letter that follows it in words: the pairs with more than 25 of 100,000 in the
// distinct words (of four letters or more, in three files or more) of some millions of lines of code, comments and manuals in Go,
// Java, Python and TypeScript. Of random pairs half are not among them.
var follows = [26]uint32{
	0x1febd6e, // a: bcdfgiklmnprstuvwxy
	0x11e4913, // b: abeilorstuy
	0x11e4d9d, // c: acdehiklorstuy
	0x13ed95f, // d: abcdegilmoprstuvy
	0x1fff9ff, // e: abcdefghilmnopqrstuvwxy
	0x11e4931, // f: aefilorstuy
	0x1679d5,  // g: aceghilmnorsu
	0x11a5111, // h: aeimortuy
	0x2aef87f, // i: abcdefglmnoprstvxz
	0x104010,  // j: eou
	0x140911,  // k: aeilsu
	0x13cc93d, // l: acdefilopstuvy
	0x114d113, // m: abeimopsuy
	0x13effff, // n: abcdefghijklmnoprstuvy
	0xfefd7f,  // o: abcdefgiklmnoprstuvwx
	0x11ec999, // p: adehiloprstuy
	0x100000,  // q: u
	0x13efd7f, // r: abcdefgiklmnoprstuvy
	0x15ffdb5, // s: acefhiklmnopqrstuwy
	0x15ed9b5, // t: acefhilmoprstuwy
	0xef97f,   // u: abcdefgilmnoprst
	0x4111,    // v: aeio
	0x66191,   // w: aehinors
	0x888114,  // x: ceiptx
	0xcb904,   // y: cilmnpst
	0x111,     // z: aei
}

// oddLetters reports a run of letters with too many pairs that words do not have. It takes nine of ten random runs of eight
// letters or more for odd, and one of twenty words, mostly abbreviations.
func oddLetters(w []byte) bool {
	odd := 0
	for i := 1; i < len(w); i++ {
		if follows[(w[i-1]|0x20)-'a']>>((w[i]|0x20)-'a')&1 == 0 {
			odd++
		}
	}
	return odd > 1 && odd*7 >= len(w)
}
