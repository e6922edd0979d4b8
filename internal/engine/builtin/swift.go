package builtin

// SwiftBuiltin reports whether name, when the file does not declare it, is one of
// those of the standard library that every Swift file sees.
func SwiftBuiltin(name string) bool {
	switch name {
	case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double", "Bool", "String",
		"Substring", "Character", "Array", "Dictionary", "Set", "Optional", "Void", "Any", "AnyObject", "Never", "Error", "Result",
		"Codable", "Encodable", "Decodable", "Encoder", "Decoder", "CodingKey", "Equatable", "Hashable", "Hasher", "Comparable", "Identifiable",
		"Sendable", "CaseIterable", "RawRepresentable", "CustomStringConvertible", "CustomDebugStringConvertible", "Sequence", "Collection",
		"IteratorProtocol", "AsyncSequence", "Range", "ClosedRange", "Task", "MainActor", "ObjectIdentifier", "StaticString", "AnyHashable",
		"print", "fatalError", "precondition", "preconditionFailure", "assert", "assertionFailure", "min", "max", "zip", "type", "stride",
		"nil", "true", "false":
		return true
	}
	return false
}

// SwiftAttribute reports whether an attribute belongs to the language, so that it is no
// property wrapper, result builder or global actor.
func SwiftAttribute(name string) bool {
	switch name {
	case "available", "discardableResult", "escaping", "autoclosure", "objc", "objcMembers", "inlinable", "inline", "usableFromInline",
		"testable", "main", "IBOutlet", "IBAction", "NSManaged", "unknown", "frozen", "dynamicMemberLookup", "dynamicCallable",
		"propertyWrapper", "resultBuilder", "preconcurrency", "unchecked", "Sendable", "convention", "nonobjc", "warn_unqualified_access",
		"_exported", "_spi", "_disfavoredOverload", "globalActor", "UIApplicationMain", "NSApplicationMain", "IBInspectable", "IBDesignable":
		return true
	}
	return false
}
