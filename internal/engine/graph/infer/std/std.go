// Package std lists the types of standard libraries whose values lead to others, and
// the results of their methods. Each list is one text with blanks around names,
// so that it is searched without being built.
package std

import "ken/internal/code"

// JavaPredeclared are the primitive types and those of java.lang, which no import names.
const JavaPredeclared = " boolean byte char double float int long short void null lambda" +
	" Boolean Byte Character Class ClassLoader CharSequence Comparable Double Enum Error Exception Float Integer Iterable" +
	" Appendable AutoCloseable ArithmeticException AssertionError ClassCastException ClassNotFoundException Cloneable Enum" +
	" IndexOutOfBoundsException InterruptedException Iterable NullPointerException NumberFormatException Override Readable" +
	" ReflectiveOperationException StrictMath ThreadGroup" +
	" IllegalArgumentException IllegalStateException Long Math Number Object Process ProcessBuilder Runnable Runtime" +
	" RuntimeException Short StackTraceElement String StringBuffer StringBuilder System Thread ThreadLocal Throwable" +
	" UnsupportedOperationException Void "

// JavaClosed are types from outside whose methods return no type of the repository: they are not generic.
const JavaClosed = " boolean byte char double float int long short Boolean Byte Character CharSequence Double Float Integer Long" +
	" Short String StringBuffer StringBuilder Number BigDecimal BigInteger File Path URI URL Duration Instant LocalDate" +
	" LocalDateTime Pattern Matcher InputStream OutputStream Reader Writer StringWriter StringReader PrintStream Locale" +
	" Charset UUID Thread Random BitSet Field Method - "

// JavaContainers are the types of the standard library that hold values of the first of
// their type arguments, and JavaMaps those that lead from the first to the second.
const (
	JavaContainers = " ArrayDeque ArrayList AtomicReference BlockingQueue Callable Collection CompletableFuture CopyOnWriteArrayList Deque" +
		" Enumeration EnumSet Flux Future HashSet ImmutableList ImmutableSet Iterable Iterator LinkedHashSet LinkedList List" +
		" ListIterator Mono NavigableSet ObjectProvider Optional PriorityQueue Provider Queue Reference Set SoftReference SortedSet" +
		" Stack Stream Supplier ThreadLocal TreeSet Vector WeakReference "
	JavaMaps = " ConcurrentHashMap ConcurrentMap Entry EnumMap Function HashMap IdentityHashMap ImmutableMap LinkedHashMap Map" +
		" NavigableMap SortedMap TreeMap WeakHashMap "
)

// JavaMakers are functions of the standard library that create a value of the type they are named after.
const JavaMakers = " of copyOf ofNullable ofEntries empty asList emptyList emptyMap emptySet singletonList singleton "

// The methods of containers, by their result: a value, or again a container of such values.
const (
	JavaGivesValue = " block blockFirst blockLast call ceiling element first floor get getAndSet getFirst getIfAvailable getIfUnique getLast getNow" +
		" getObject higher join last lower next nextElement orElse orElseGet orElseThrow peek peekFirst peekLast pick poll pollFirst" +
		" pollLast pop previous remove removeFirst removeLast set take "
	JavaGivesSame = " descendingIterator descendingSet distinct dropWhile filter findAny findFirst headSet iterator limit listIterator max min" +
		" or parallel parallelStream reversed sequential skip sorted stream subList tailSet takeWhile toList unordered "
	JavaGivesMapped    = " apply compute computeIfAbsent computeIfPresent get getOrDefault getValue merge put putIfAbsent remove replace setValue "
	JavaGivesKey       = " firstKey getKey lastKey ceilingKey floorKey higherKey lowerKey "
	JavaGivesKeys      = " keySet navigableKeySet descendingKeySet "
	JavaGivesEntry     = " ceilingEntry firstEntry floorEntry headMap lastEntry pollFirstEntry pollLastEntry subMap tailMap descendingMap "
	JavaMapsEach       = " map mapToObj thenApply "
	JavaMapsToSequence = " flatMap thenCompose "
)

// RustClosed are the types of the language and of std whose methods return no type of a repository.
const RustClosed = " u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize f32 f64 bool char str String PathBuf Path OsString OsStr Duration" +
	" Instant SystemTime AtomicBool AtomicUsize AtomicU64 AtomicU32 File Regex - "

// RustPredeclared are names that every file sees without an import.
const RustPredeclared = RustClosed + "Option Result Vec Box Iterator IntoIterator Future DoubleEndedIterator ExactSizeIterator " + code.RecvRange + " "

// RustWrapped are types whose members are mostly those of the value they hold.
const RustWrapped = " Arc Box Cow LazyCell LazyLock ManuallyDrop MappedMutexGuard Mutex MutexGuard OwnedMutexGuard Pin Rc Ref RefCell RefMut" +
	" RwLock RwLockReadGuard RwLockWriteGuard Weak OnceCell OnceLock UnsafeCell CachePadded Saturating Wrapping "

// RustHolders hold values of the first of their type arguments, RustMaps lead from the
// first to the second.
const (
	RustHolders = " Option Result Poll Vec VecDeque LinkedList HashSet BTreeSet BinaryHeap IndexSet SmallVec Iterator IntoIterator Peekable" +
		" DoubleEndedIterator ExactSizeIterator Iter IterMut IntoIter Drain Stream Future BoxFuture JoinHandle "
	RustMaps = " HashMap BTreeMap IndexMap DashMap FxHashMap AHashMap "
)

// The methods of holders, by their result: a value, an Option of it, or again a holder.
const (
	RustGivesValue = " unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked get_or_insert_with get_or_insert" +
		" swap_remove or_insert or_insert_with or_default "
	RustGivesOption = " first last get get_mut first_mut last_mut pop pop_front pop_back next next_back peek peek_mut find min max nth reduce" +
		" front back front_mut back_mut min_by max_by min_by_key max_by_key rfind split_first "
	RustGivesSame = " take replace as_ref as_mut as_deref as_deref_mut or or_else filter cloned copied ok map_err ok_or ok_or_else context" +
		" with_context transpose iter iter_mut into_iter drain rev skip chain peekable by_ref clone to_vec collect sorted take_while" +
		" skip_while inspect as_slice as_mut_slice step_by sorted_by lock borrow borrow_mut to_owned fuse cycle flatten "
	// RustLends are methods that return the value itself where its type has none of the name.
	RustLends = " clone lock read write borrow borrow_mut unwrap expect as_ref as_mut to_owned into_inner get_ref deref deref_mut by_ref" +
		" upgrade downgrade try_lock blocking_lock try_read try_write unwrap_or_default new default from with_capacity into "
)
