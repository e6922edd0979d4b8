package extract

import "strings"

// Values whose type the language itself says: literals, what its constructors make, and
// what its functions give. Their members are no declaration of a repository, unless it
// adds some to the type.

// scriptGlobals are the objects of ECMAScript that every program sees and that have
// members of their own.
const scriptGlobals = " Array ArrayBuffer Atomics BigInt Boolean DataView Date Error Float32Array Float64Array Function Int16Array Int32Array" +
	" Int8Array Intl JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError" +
	" URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet "

func isScriptGlobal(name string) bool { return strings.Contains(scriptGlobals, " "+name+" ") }

// scriptGives are the functions of those objects and of their values that always give
// a value of one of them, by what they give.
var scriptGives = [...]struct{ typ, functions string }{
	{"Array", " Object.keys Object.values Object.entries Object.getOwnPropertyNames Array.from Array.of Array.map Array.filter Array.slice Array.concat" +
		" Array.sort Array.reverse Array.splice Array.flat Array.flatMap Array.fill String.split String.match "},
	{"String", " JSON.stringify String.replace String.replaceAll String.trim String.trimStart String.trimEnd String.slice String.substring String.substr" +
		" String.toLowerCase String.toUpperCase String.concat String.padStart String.padEnd String.repeat String.charAt String.fromCharCode" +
		" Array.join Number.toFixed Number.toString Date.toISOString "},
	{"Number", " Date.now Math.floor Math.ceil Math.round Math.max Math.min Math.abs Math.random Math.pow Math.sqrt String.indexOf String.charCodeAt" +
		" Array.indexOf Array.push Array.unshift Number.parseInt Number.parseFloat "},
	{"Promise", " Promise.resolve Promise.reject Promise.all Promise.allSettled Promise.race Promise.any Promise.then Promise.catch Promise.finally "},
}

// builtinType is the object of ECMAScript whose members a value has, "" if it is not
// known to be one.
func (s *script) builtinType(n node, depth int) string {
	if depth > maxLiteralDepth {
		return ""
	}
	n = s.unwrap(n)
	switch s.kind(n) {
	case jsString, jsTemplate:
		return "String"
	case jsNumber:
		return "Number"
	case jsArray:
		return "Array"
	case jsRegex:
		return "RegExp"
	case jsIdentifier:
		return s.globalObject(n)
	case jsNew:
		return s.globalObject(s.child(n, jsfConstructor))
	case jsCall:
		return s.builtinResult(s.child(n, jsfFunction), depth)
	}
	return ""
}

// globalObject is the name of an object of ECMAScript, if the file gives the name no
// other meaning.
func (s *script) globalObject(n node) string {
	if name := s.str(n); s.kind(n) == jsIdentifier && isScriptGlobal(name) && s.names.lookup(name) == nil {
		return name
	}
	return ""
}

// builtinResult is builtinType for a call of fn.
func (s *script) builtinResult(fn node, depth int) string {
	if s.kind(fn) == jsIdentifier {
		switch name := s.globalObject(fn); name {
		case "String", "Number", "Array", "RegExp":
			return name
		}
		return ""
	}
	if s.kind(fn) != jsMember {
		return ""
	}
	of := s.builtinType(s.child(fn, jsfObject), depth+1)
	if of == "" {
		return ""
	}
	name := " " + of + "." + s.fieldStr(fn, jsfProperty) + " "
	for _, g := range scriptGives {
		if strings.Contains(g.functions, name) {
			return g.typ
		}
	}
	return ""
}
