package injection

import (
	_ "embed"
	"strings"
	"unicode/utf8"
)

// learnedWeights has a weight for the hash of each word and of each two words in a row. bench/sound/injection makes it.
//
//go:embed learned.bin
var learnedWeights string

// Worded is the group of passages whose words, taken together, are rather those of orders to an agent than those of texts for people.
const Worded = "is worded like an order to an agent"

// orderWords is the least weight of a passage that is an order. It was chosen by texts that were not learned.
const orderWords = 55

// learnedBits is the number of bits of a hash.
const learnedBits = 16

// Weigh returns the sum of the weights of the passage of a text whose words weigh most together, and where it begins. Integers are added,
// so that each machine has the same sum.
func Weigh(plain string) (best, at int) {
	sum, from := 0, 0
	EachWord(plain, func(place int, word, pair uint32) {
		if sum <= 0 {
			sum, from = 0, place
		}
		sum += int(int8(learnedWeights[word])) + int(int8(learnedWeights[pair]))
		if sum > best {
			best, at = sum, from
		}
	})
	return best, at
}

// signBytes are signs that count as words. Many are of source and markup, which texts for people have and orders seldom.
const signBytes = "@$<[|`#(={;/"

// EachWord calls f with the place of each word of a text in lower case, the hash of the word and that of the word with the one before it.
// All numbers are one word, and so are all words with a digit, runs of a sign and the end of a paragraph; the first word of a sentence has
// none before it.
func EachWord(plain string, f func(place int, word, pair uint32)) {
	const start, prime = 2166136261, 16777619
	fold := func(h uint32) uint32 { return h * 0x9E3779B1 >> (32 - learnedBits) }
	before := uint32(start)
	for at := 0; at < len(plain); {
		c := plain[at]
		begin, hash := at, uint32(start)
		switch {
		case isAlphanumeric(c):
			kinds := 0
			for ; at < len(plain) && (isAlphanumeric(plain[at]) || plain[at] == '\''); at++ {
				hash = (hash ^ uint32(plain[at])) * prime
				if isDigit(plain[at]) {
					kinds |= 1
				} else if kinds |= 2; plain[at] >= utf8.RuneSelf && at-begin >= 5 { // languages without blanks
					at++
					break
				}
			}
			if kinds&1 != 0 {
				hash = (start ^ uint32(kinds)) * prime
			}
		case c == '\n' && at+1 < len(plain) && plain[at+1] == '\n', strings.IndexByte(signBytes, c) >= 0:
			for ; at < len(plain) && plain[at] == c; at++ {
			}
			hash = (hash ^ uint32(c)) * prime
		default:
			if c == '.' || c == '!' || c == '?' || c == ':' {
				before = start
			}
			at++
			continue
		}
		f(begin, fold(hash), fold(before*prime^hash))
		before = hash
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlphanumeric(c byte) bool { return isDigit(c) || isWordPart(c) }

// Plain returns a text as Weigh and EachWord read it.
func Plain(text string) string {
	plain, _ := plainText(text)
	return plain
}
