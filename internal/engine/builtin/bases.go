package builtin

import "strings"

// bases are, by family, the types of the standard library that other types often inherit from or implement, with the members of
// theirs that a subtype can override; in scripts by module, for all types in it. A member of another name overrides nothing of them.
var bases = map[string]map[string]string{
	"php": {
		"ArrayAccess": " offsetExists offsetGet offsetSet offsetUnset ", "BackedEnum": " cases from tryFrom ", "Countable": " count ",
		"Iterator": " current key next rewind valid ", "IteratorAggregate": " getIterator ", "JsonSerializable": " jsonSerialize ",
		"OuterIterator": " current getInnerIterator key next rewind valid ", "RecursiveIterator": " current getChildren hasChildren key next rewind valid ",
		"SeekableIterator": " current key next rewind seek valid ", "Serializable": " serialize unserialize ", "Stringable": " ", "Throwable": phpException,
		"Traversable": " ", "UnitEnum": " cases ", "Attribute": " flags ",
		"Exception": phpException, "Error": phpException, "ErrorException": " code file line message previous severity string trace ",
		"ArithmeticError": phpException, "ArgumentCountError": phpException, "AssertionError": phpException, "DivisionByZeroError": phpException,
		"TypeError": phpException, "ValueError": phpException, "UnhandledMatchError": phpException, "JsonException": phpException,
		"LogicException": phpException, "BadFunctionCallException": phpException, "BadMethodCallException": phpException, "DomainException": phpException,
		"InvalidArgumentException": phpException, "LengthException": phpException, "OutOfRangeException": phpException, "RuntimeException": phpException,
		"OutOfBoundsException": phpException, "OverflowException": phpException, "RangeException": phpException, "UnderflowException": phpException,
		"UnexpectedValueException": phpException,
	},
	"csharp": {
		"IAsyncDisposable": " DisposeAsync ", "IAsyncEnumerable": " GetAsyncEnumerator ", "IAsyncEnumerator": " Current DisposeAsync MoveNextAsync ",
		"ICloneable": " Clone ", "ICollection": csCollection, "IComparable": " CompareTo ", "IComparer": " Compare ",
		"ICustomFormatter": " Format ", "IDictionary": csCollection + "ContainsKey GetEnumerator Item Keys Remove TryGetValue Values IsFixedSize ",
		"IDisposable": " Dispose ", "IEnumerable": " GetEnumerator ", "IEnumerator": " Current Dispose MoveNext Reset ", "IEquatable": " Equals ",
		"IEqualityComparer": " Equals GetHashCode ", "IFormatProvider": " GetFormat ", "IFormattable": " ToString ", "ISpanFormattable": " ToString TryFormat ",
		"IList": csCollection + "IndexOf Insert Item RemoveAt IsFixedSize ", "IReadOnlyCollection": " Count GetEnumerator ",
		"IReadOnlyDictionary": " ContainsKey Count GetEnumerator Item Keys TryGetValue Values ", "IReadOnlyList": " Count GetEnumerator Item ",
		"IProgress": " Report ", "ISerializable": " GetObjectData ", "IServiceProvider": " GetService ", "ISet": csCollection,
		"INotifyPropertyChanged": " PropertyChanged ", "IClassFixture": " ", "ICollectionFixture": " ", "IAsyncLifetime": " DisposeAsync InitializeAsync ",
		"IObserver": " OnCompleted OnError OnNext ", "IObservable": " Subscribe ",
	},
	"script": {
		"events": nodeEvents, "node:events": nodeEvents, "stream": nodeStreams, "node:stream": nodeStreams,
	},
	"ruby": {
		"Forwardable": " def_delegator def_delegators delegate instance_delegate def_instance_delegator def_instance_delegators instance_delegate ",
		"Singleton":   " instance clone dup _dump ", "Comparable": " between? clamp ",
	},
}

const (
	phpException = " code file line message previous string trace "
	csCollection = " Add Clear Contains CopyTo Count GetEnumerator IsReadOnly IsSynchronized Remove SyncRoot "
	nodeEvents   = " _events _eventsCount _maxListeners addListener emit eventNames getMaxListeners listenerCount listeners off on once" +
		" prependListener prependOnceListener rawListeners removeAllListeners removeListener setMaxListeners domain captureRejections "
	nodeStreams = nodeEvents + "_construct _destroy _final _flush _read _readableState _transform _undestroy _write _writableState _writev" +
		" allowHalfOpen asIndexedPairs closed compose cork destroy destroyed drop end errored every filter find flatMap forEach isPaused iterator map" +
		" pause pipe push read readable readableAborted readableBuffer readableDidRead readableEncoding readableEnded readableFlowing" +
		" readableHighWaterMark readableLength readableObjectMode reduce resume setDefaultEncoding setEncoding some take toArray uncork unpipe" +
		" unshift wrap writable writableAborted writableBuffer writableCorked writableEnded writableFinished writableHighWaterMark" +
		" writableLength writableNeedDrain writableObjectMode write "
)

// Overridable reports whether a subtype of a type outside the repository, which comes from a module or from none, can override a member of
// a name. known is false if the type is none of those whose members are known.
func Overridable(family, typ, module, member string) (can, known bool) {
	list, known := standardMembers(family, typ, module)
	for _, whole := range [...]string{module, module + "." + typ} {
		if !known {
			list, known = qualifiedBases[family][whole]
		}
	}
	for _, name := range strings.Fields(list) {
		if start, isPattern := strings.CutSuffix(name, "*"); name == member || isPattern && strings.HasPrefix(member, start) {
			return true, true
		}
	}
	return false, known
}

// IsPassive reports whether a type, which comes from a module or from none, is one of the standard library of a family of which nothing
// looks for the subtypes.
func IsPassive(family, typ, module string) bool {
	_, known := standardMembers(family, typ, module)
	return known
}

func standardMembers(family, typ, module string) (string, bool) {
	list, known := bases[family][typ]
	if !known && module != "" {
		list, known = bases[family][module]
	}
	return list, known
}
