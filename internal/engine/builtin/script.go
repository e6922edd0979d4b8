package builtin

// scriptMembers are members that ECMAScript, the pages of browsers and node.js provide to a script: of its classes and
// their values, of nodes, events, requests and streams. Such objects occur anywhere, mostly without a type beside them.
const scriptMembers = " " +
	"ArrayBuffer NaN SharedArrayBuffer __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ abort aborted abs " +
	"accept acceptCharset access accessKey accessKeyLabel accessSync acos acosh action add addAbortSignal addEventListener addRange " +
	"address adoptNode after alert align all allSettled allocUnsafe alt altKey altitudeAngle ancestorOrigins anchor anchorNode " +
	"anchorOffset anchors any append appendChild appendData appendFile appendFileSync applets apply arguments argv arrayBuffer asIntN " +
	"asUintN asin asinh assert assign asyncDispose asyncIterator at atan atan2 atanh atob attachInternals attachShadow attributeStyleMap " +
	"attributes autocapitalize autocomplete autocorrect autofocus azimuthAngle back baseURI basename before big binaryType bind blink blob " +
	"blur body bodyUsed bold bottom btoa bubbles buffer bufferedAmount button buttons byteLength byteOffset bytes cache call callee caller " +
	"canShare cancel cancelAnimationFrame cancelBubble cancelable capture captureEvents caretPositionFromPoint caretRangeFromPoint catch " +
	"cause cbrt ceil changedTouches charAt charCode charCodeAt characterSet charset chdir checkValidity checkVisibility checked " +
	"childElementCount childNodes children chmod chmodSync classList className clear clearData clearInterval clearMarks clearMeasures " +
	"clearResourceTimings clearTimeout click clientHeight clientLeft clientTop clientWidth clientX clientY clipboard clone cloneContents " +
	"cloneNode cloneRange close closed closest clz32 code codePointAt collapse collapseToEnd collapseToStart colno commonAncestorContainer " +
	"compare compareBoundaryPoints compareDocumentPosition comparePoint compatMode compile composed composedPath computedStyleMap concat " +
	"confirm connect construct constructor contains containsNode contentType cookie coords copyFile copyFileSync copyWithin cork cos cosh " +
	"count countReset create createAttribute createAttributeNS createCDATASection createComment createConnection createContextualFragment " +
	"createDocumentFragment createElement createElementNS createEvent createHash createHmac createInterface createNodeIterator " +
	"createProcessingInstruction createRange createReadStream createServer createTextNode createTreeWalker createWriteStream credentials " +
	"ctime ctrlKey currentCSSZoom currentScript currentTarget cwd data dataTransfer dataset debug decode decrypt defaultChecked " +
	"defaultPrevented defaultSelected defaultValue defaultView defineProperties defineProperty delete deleteContents deleteData " +
	"deleteFromDocument deleteProperty delimiter deltaMode deltaX deltaY deltaZ deref deriveBits deriveKey description designMode " +
	"desiredSize destination destroy destroyed detach detached detail devicePixelRatio difference digest dir dirName direction dirname " +
	"dirxml disable disabled disconnect dispatchEvent dispose doNotTrack doctype documentElement documentURI domain done dotAll download " +
	"draggable drop dropEffect effectAllowed elements embeds emit emitWarning empty enable encode encodeInto encoding encrypt enctype end " +
	"endsWith enqueue entries env errno error errors eventCounts eventNames eventPhase every exec execCommand execFile execFileSync " +
	"execPath execSync existsSync exit exitCode exitFullscreen exitPictureInPicture exitPointerLock exp expm1 exportKey extend extensions " +
	"extname extractContents f16round family fetch filename files fill filter finally find findIndex findLast findLastIndex firstChild " +
	"firstElementChild fixed flags flat flatMap floor focus focusNode focusOffset fontcolor fontsize for forEach force fork form " +
	"formAction formData formEnctype formMethod formNoValidate formTarget format forms forward fragmentDirective freeze from fromAsync " +
	"fromCharCode fromCodePoint fromEntries fround fullscreen fullscreenEnabled generateKey geolocation get getAll getAllResponseHeaders " +
	"getAttribute getAttributeNS getAttributeNames getAttributeNode getAttributeNodeNS getBigInt64 getBigUint64 getBoundingClientRect " +
	"getClientRects getCoalescedEvents getComposedRanges getComputedStyle getData getDate getDay getElementById getElementsByClassName " +
	"getElementsByName getElementsByTagName getElementsByTagNameNS getEntries getEntriesByName getEntriesByType getFloat16 getFloat32 " +
	"getFloat64 getFullYear getGamepads getHTML getHeader getHours getInt16 getInt32 getInt8 getItem getMilliseconds getMinutes " +
	"getModifierState getMonth getNamedItem getNamedItemNS getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames " +
	"getOwnPropertySymbols getPredictedEvents getPrototypeOf getRandomValues getRangeAt getReader getResponseHeader getRootNode getSeconds " +
	"getSelection getSetCookie getTargetRanges getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours " +
	"getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getUint16 getUint32 getUint8 getWriter globalThis go group groupBy " +
	"groupCollapsed groupEnd groups grow growable has hasAttribute hasAttributeNS hasAttributes hasChildNodes hasFocus hasIndices " +
	"hasInstance hasOwn hasOwnProperty hasPointerCapture hasStorageAccess hash head headers headersSent height hidden hidePopover host " +
	"hostname href hreflang hrtime hypot id identifier ignore ignoreCase images implementation importKey importNode imul includes " +
	"indeterminate index indexOf indices inert info initCustomEvent initEvent initKeyboardEvent initMessageEvent initMouseEvent " +
	"initUIEvent innerHTML innerHeight innerText innerWidth ino input inputEncoding inputType insertAdjacentElement insertAdjacentHTML " +
	"insertAdjacentText insertBefore insertData insertNode integrity intersection intersectsNode is isAbsolute isArray isBuffer " +
	"isCollapsed isComposing isConcatSpreadable isConnected isDefaultNamespace isDirectory isDisjointFrom isEqualNode isError isExtensible " +
	"isFile isFinite isFrozen isInteger isNaN isPaused isPointInRange isPrimary isPrototypeOf isSafeInteger isSameNode isSealed isSubsetOf " +
	"isSupersetOf isSymbolicLink isTrusted isView isWellFormed italics item items iterator join json keepalive key keyCode keyFor keys " +
	"kill label labels lang lastChild lastElementChild lastEventId lastIndex lastIndexOf lastModified layerX layerY left length " +
	"lengthComputable lineno link links list listen listenerCount listeners loaded localName localStorage localeCompare location locked " +
	"log log10 log1p log2 login lookupNamespaceURI lookupPrefix lstat lstatSync map mark match matchAll matchMedia matches max " +
	"maxByteLength maxLength maxTouchPoints measure mediaCapabilities mediaDevices mediaSession memoryUsage message metaKey method min " +
	"minLength mkdir mkdirSync mkdtemp mode modify movementX movementY mtime mtimeMs multiline multiple name namedItem namespaceURI " +
	"navigation next nextSibling nextTick noValidate nodeName nodeType nodeValue nonce normalize now object observe of off offsetHeight " +
	"offsetLeft offsetParent offsetTop offsetWidth offsetX offsetY ok on once open openSync options origin outerHTML outerText " +
	"overrideMimeType ownKeys ownerDocument ownerElement padEnd padStart pageX pageXOffset pageY pageYOffset parentElement parentNode " +
	"parse parseFloat parseInt part password path pathname pattern pause permissions pictureInPictureEnabled pid ping pipe pipeThrough " +
	"pipeTo pipeline placeholder platform plugins pointerId pointerType pop popover port ports position postMessage pow prefix prepend " +
	"prependListener pressure preventDefault preventExtensions previousSibling promise promisify prompt propertyIsEnumerable protocol " +
	"prototype push pushState queryCommandEnabled queryCommandIndeterm queryCommandState queryCommandSupported queryCommandValue " +
	"querySelector querySelectorAll queueMicrotask race radiusX radiusY random randomUUID rangeCount raw read readAsArrayBuffer " +
	"readAsBinaryString readAsDataURL readAsText readFile readFileSync readInt8 readOnly readUInt8 readable readableEnded readdir " +
	"readdirSync readlink ready readyState realpath realpathSync reason redirect redirected reduce reduceRight ref referrer referrerPolicy " +
	"reject rel relList relatedTarget relative releaseEvents releaseLock releasePointerCapture reload remoteAddress remove " +
	"removeAllListeners removeAllRanges removeAttribute removeAttributeNS removeAttributeNode removeChild removeEventListener removeHeader " +
	"removeItem removeListener removeNamedItem removeNamedItemNS removeRange rename renameSync repeat replace replaceAll replaceChild " +
	"replaceChildren replaceData replaceState replaceWith reportValidity requestAnimationFrame requestFullscreen requestIdleCallback " +
	"requestMIDIAccess requestMediaKeySystemAccess requestPointerLock requestStorageAccess requestSubmit required reset resizable resize " +
	"resolve response responseText responseType responseURL responseXML result resume return returnValue rev reverse revocable right rm " +
	"rmSync rmdir rmdirSync root rootElement rootMargin rotationAngle round screenX screenY scripts scroll scrollBy scrollHeight " +
	"scrollIntoView scrollLeft scrollRestoration scrollTo scrollTop scrollWidth scrollingElement seal search searchParams select " +
	"selectAllChildren selectNode selectNodeContents selected selectedIndex selectedOptions selectionDirection selectionEnd selectionStart " +
	"send sendBeacon sep serviceWorker sessionStorage set setAttribute setAttributeNS setAttributeNode setAttributeNodeNS setBaseAndExtent " +
	"setBigInt64 setBigUint64 setCustomValidity setData setDate setDragImage setEncoding setEnd setEndAfter setEndBefore setFloat16 " +
	"setFloat32 setFloat64 setFullYear setHTMLUnsafe setHeader setHours setInt16 setInt32 setInt8 setInterval setItem setKeepAlive " +
	"setMaxListeners setMilliseconds setMinutes setMonth setNamedItem setNamedItemNS setNoDelay setPointerCapture setPosition " +
	"setPrototypeOf setRangeText setRequestHeader setResourceTimingBufferSize setSeconds setSelectionRange setStart setStartAfter " +
	"setStartBefore setTime setTimeout setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds " +
	"setUint16 setUint32 setUint8 shadowRoot shape share shift shiftKey showPicker showPopover sign signal sin sinh size slice slot small " +
	"socket some sort source spawn spawnSync species specified spellcheck splice split sqrt src srcElement stack start startViewTransition " +
	"startsWith stat statSync state status statusCode statusMessage statusText stderr stdin stdout step stepDown stepUp sticky stop " +
	"stopImmediatePropagation stopPropagation stream strike stringify structuredClone style sub subarray submit subscribe substr substring " +
	"substringData subtle sup supports suppressed surroundContents symbol symlink symlinkSync symmetricDifference syscall tabIndex table " +
	"tagName take takeRecords tan tangentialPressure tanh target targetTouches tee terminate test text textContent then thresholds throw " +
	"throwIfAborted tiltX tiltY time timeEnd timeLog timeOrigin timeStamp timeline timeout timing title toArray toDateString toExponential " +
	"toFixed toISOString toJSON toLocaleDateString toLocaleLowerCase toLocaleString toLocaleTimeString toLocaleUpperCase toLowerCase " +
	"toPrecision toPrimitive toReversed toSorted toSpliced toString toStringTag toTimeString toUTCString toUpperCase toWellFormed toggle " +
	"toggleAttribute togglePopover top total touches trace transfer transferToFixedLength translate trim trimEnd trimLeft trimRight " +
	"trimStart trunc try twist type types uncork unicode unicodeSets union unlink unlinkSync unobserve unpipe unref unscopables unshift " +
	"unsubscribe unwatchFile unwrapKey upload uptime url useMap userActivation username utimes validationMessage validity value " +
	"valueAsDate valueAsNumber valueOf values verify version versions vibrate view visibilityState wakeLock warn watch watchFile " +
	"webkitEntries webkitMatchesSelector webkitRelativePath webkitdirectory which width willValidate with withCredentials withResolvers " +
	"wrapKey writable writableEnded write writeFile writeFileSync writeHead writeln writingSuggestions x y "
