package std

// The methods of lists and maps in scripts, by their result.
const (
	ScriptGivesSame  = " concat copyWithin fill filter reverse slice sort splice toReversed toSorted toSpliced values union intersection difference "
	ScriptGivesValue = " at find findLast pop shift "
)

// ScriptPredeclared are classes and objects of the language and its hosts.
const ScriptPredeclared = " string number boolean bigint symbol AbortController AbortSignal Array ArrayBuffer BigInt Blob Boolean Buffer console" +
	" Date Document Element Error Event EventTarget File FormData Headers HTMLElement HTMLInputElement Intl JSON KeyboardEvent Map Math" +
	" MouseEvent Node Number Object Promise Proxy ReadableStream RegExp Reflect Set String Symbol SyntaxError TextDecoder TextEncoder" +
	" TransformStream TypeError Uint8Array URL URLSearchParams WeakMap WeakSet WritableStream "
