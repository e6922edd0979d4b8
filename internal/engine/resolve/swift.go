package resolve

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/lang"
)

// Swift: an import names a module, which is a directory of sources whose files all see each other. SwiftPM keeps a
// target in Sources/NAME unless its manifest sets another path; elsewhere the topmost directory counts as the module
// (extraction gives every file its module's directory as package). Manifests are programs: only the literal names and
// paths of targets are read from them.

// swiftResolver resolves Swift imports.
type swiftResolver struct {
	t       Tree
	targets map[string][]string // directories by target, from manifests; nil until needed
	memo    map[swiftQuery]Result
}

type swiftQuery struct{ dir, module string }

func (r *swiftResolver) resolve(from string, imp *code.Import) Result {
	q := swiftQuery{code.Dir(from), imp.Spec}
	res, ok := r.memo[q]
	if !ok {
		res = r.find(q)
		r.memo[q] = res
	}
	return res
}

func (r *swiftResolver) find(q swiftQuery) Result {
	if strings.ContainsAny(q.module, "/.") {
		return Result{}
	}
	p := &probe{t: r.t}
	for _, dir := range r.candidates(q) {
		p.note(lang.PackageKey(langSwift, dir))
		if len(r.t.PackageDirs(langSwift, dir)) > 0 {
			return Result{Package: dir, IsPackage: true, Probes: p.keys}
		}
	}
	return Result{External: q.module, Std: isSwiftStd(q.module), Probes: p.keys}
}

// candidates returns the directories that may hold a module: in the package of the file, in packages beside it, in
// the targets of manifests, and the topmost directory with its name.
func (r *swiftResolver) candidates(q swiftQuery) (dirs []string) {
	depth := 0
	ancestors(q.dir, func(dir string) bool {
		for _, sub := range [...]string{"Sources/", "Plugins/", "Tests/", q.module + "/Sources/", "Packages/" + q.module + "/Sources/", "Modules/" + q.module + "/Sources/"} {
			dirs = append(dirs, under(dir, sub+q.module))
		}
		depth++
		return depth == maxSegments
	})
	if r.targets == nil {
		r.load()
	}
	for _, dir := range r.targets[q.module] {
		top, _, _ := strings.Cut(dir, "/")
		dirs = append(dirs, dir, top)
	}
	return append(dirs, q.module)
}

func (r *swiftResolver) load() {
	r.targets = map[string][]string{}
	for _, file := range r.t.Configs("Package.swift") {
		content, _ := config(r.t, file)
		for _, target := range parseSwiftPackage(content) {
			if dir, ok := join(code.Dir(file), target.Path); ok && dir != "" && !slices.Contains(r.targets[target.Name], dir) {
				r.targets[target.Name] = append(r.targets[target.Name], dir)
			}
		}
	}
}

// swiftTarget is a target of a Package.swift that sets its own path.
type swiftTarget struct{ Name, Path string }

var (
	swiftTargetHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\.(?:target|executableTarget|testTarget|macro|plugin)\s*\(\s*name\s*:\s*"([^"\\\n]+)"`)
	})
	swiftTargetPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bpath\s*:\s*"([^"\\\n]+)"`) })
)

// parseSwiftPackage reads the targets that have a path from a Package.swift.
// The path of a target is the first one before the next target begins.
func parseSwiftPackage(content []byte) (targets []swiftTarget) {
	heads := swiftTargetHead().FindAllSubmatchIndex(content, -1)
	for i, h := range heads {
		end := len(content)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		if m := swiftTargetPath().FindSubmatch(content[h[1]:end]); m != nil {
			targets = append(targets, swiftTarget{string(content[h[2]:h[3]]), string(m[1])})
		}
	}
	return targets
}

// isSwiftStd reports whether a module comes with the Swift language or an Apple platform.
func isSwiftStd(module string) bool {
	switch module {
	case "Swift", "Foundation", "FoundationNetworking", "FoundationEssentials", "XCTest", "Testing", "Dispatch", "Darwin", "Glibc", "Musl", "WinSDK",
		"UIKit", "AppKit", "SwiftUI", "Combine", "CoreData", "CoreGraphics", "CoreFoundation", "CoreLocation", "CoreText", "CoreImage",
		"QuartzCore", "AVFoundation", "MapKit", "WebKit", "StoreKit", "Security", "SystemConfiguration", "MobileCoreServices",
		"UniformTypeIdentifiers", "os", "ObjectiveC", "Observation", "Synchronization", "RegexBuilder", "PackageDescription", "PackagePlugin",
		"_Concurrency", "Accelerate", "Metal", "MetalKit", "SpriteKit", "SceneKit", "UserNotifications", "WatchKit", "CryptoKit", "Network":
		return true
	}
	return false
}
