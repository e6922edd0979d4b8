package secret

// scanAuthorization finds what an Authorization header carries, under any scheme or none: Authorization: Token v,
// "authorization": "v", .header("Authorization", "Key v"). Bearer and Basic have rules of their own.
func scanAuthorization(text []byte, _, hi int) (int, int, bool) {
	i, sep := hi, false
	for n := 0; n < 12 && i < len(text); n++ {
		switch c := text[i]; c {
		case ':', ',', '=':
			sep = true
		case '"', '\'', '`', '\\', ' ', '\t', '>', ']', ')':
		default:
			n = 12
			continue
		}
		i++
	}
	if !sep {
		return 0, 0, false
	}
	start, end := i, tokenRun(text, i)
	if word := text[start:end]; len(word) > 1 && len(word) < 20 && at(text, end) == ' ' && digits(word) == 0 {
		start = end + 1
		end = tokenRun(text, start)
	}
	v := text[start:end]
	if c := at(text, end); c == '(' || c == '[' || c == '{' || c == '$' || len(v) < 16 || isUUID(v) {
		return 0, 0, false
	}
	lower, upper, digit, _ := classes(v)
	return start, end, digit > 1 && lower+upper > 2 && randomValue(v) && !hasWords(v) && !hasNameStop(v)
}

// tokenRun is the end of the characters that HTTP's token68 has.
func tokenRun(text []byte, i int) int {
	for lo := i; i < len(text) && i-lo < maxValue && (isTokenByte(text[i]) || text[i] == '+' || text[i] == '/' || text[i] == '='); i++ {
	}
	return i
}
