package bind

import "strings"

// builtinMember reports whether objects that JavaScript, its hosts or node.js make have
// a member of a name.
func builtinMember(name string) bool {
	return strings.Contains(scriptMembers, " "+name+" ")
}

// scriptMembers are the members of the classes and objects of ECMAScript, and those of
// events, streams, nodes of documents and the console that any code may use.
const scriptMembers = " " +
	"__defineGetter__ __defineSetter__ __proto__ abs add addEventListener all allSettled any append appendChild apply " +
	"arguments arrayBuffer assign asyncIterator at bind blob button byteLength call callee caller cancel catch cause ceil " +
	"charAt charCodeAt classList clear clone close codePointAt concat construct constructor copyWithin create debug " +
	"defineProperties defineProperty delete deleteProperty description dispatchEvent done emit endsWith enqueue entries " +
	"error every exec fill filter finally find findIndex findLast findLastIndex flags flat flatMap floor focus forEach " +
	"formData freeze from fromCharCode fromEntries get getAttribute getDate getDay getElementById getFullYear getHours " +
	"getMilliseconds getMinutes getMonth getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames " +
	"getOwnPropertySymbols getPrototypeOf getReader getSeconds getTime getTimezoneOffset getWriter groupBy has hasInstance " +
	"hasOwn hasOwnProperty includes index indexOf info is isArray isExtensible isFinite isFrozen isInteger isNaN " +
	"isPrototypeOf isSafeInteger isSealed iterator join json keys lastIndex lastIndexOf length localeCompare log map match " +
	"matchAll max message min name next normalize now of off once ownKeys padEnd padStart parse pipe pipeThrough pipeTo pop " +
	"pow preventDefault preventExtensions propertyIsEnumerable prototype push querySelector querySelectorAll race random raw " +
	"reduce reduceRight reject releaseLock removeAttribute removeChild removeEventListener removeListener repeat replace " +
	"replaceAll resolve return reverse round search set setAttribute setDate setFullYear setHours setMilliseconds setMinutes " +
	"setMonth setPrototypeOf setSeconds setTime shift sign size slice some sort source species splice split sqrt stack " +
	"startsWith stopPropagation stringify substr substring test text textContent then throw toDateString toFixed toISOString " +
	"toJSON toLocaleDateString toLocaleLowerCase toLocaleString toLocaleTimeString toLocaleUpperCase toLowerCase toPrecision " +
	"toPrimitive toReversed toSorted toSpliced toString toStringTag toUTCString toUpperCase trim trimEnd trimStart trunc " +
	"unshift valueOf values warn with write "
