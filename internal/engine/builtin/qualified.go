package builtin

// qualifiedBases are, by family and whole name, types outside any repository that many others inherit from: of frameworks for tests, and
// of standard libraries in which other packages have types of the same name. Each has the members that a subtype can override; "assert*"
// stands for all that begin so. Something may look for the subtypes of these types.
var qualifiedBases = map[string]map[string]string{
	"php": {
		`PHPUnit\Framework\TestCase`:     phpUnit,
		`PHPUnit_Framework_TestCase`:     phpUnit,
		`PHPUnit\Framework\TestListener`: " addError addFailure addIncompleteTest addRiskyTest addSkippedTest addWarning endTest endTestSuite startTest startTestSuite ",
	},
	"ruby": {
		"Minitest::Test": minitest,
		"Minitest::Spec": minitest + "before after let it subject describe specify spec_type nuke_test_methods! ",
		"Test::Unit::TestCase": " [] add_* assert* refute* attribute attributes _assertion_wrapper _wrap_assertion _add_expectation assign_test_data" +
			" build_message capture_output cleanup create_fixtures_runner current_result data data_label default_test description elapsed_time" +
			" filter_backtrace fixture flunk handle_* inspect interrupted? local_name method_name name notify omit* pass_through_exception? passed?" +
			" pend* priority_* problem_occurred query run run_* setup shutdown size startup start_time sub_test_case suite teardown test" +
			" test_defined? test_order testing valid? ",
	},
	"python": {
		"unittest.TestCase":                pyTestCase,
		"unittest.IsolatedAsyncioTestCase": pyTestCase + "asyncSetUp asyncTearDown addAsyncCleanup enterAsyncContext loop_factory ",
		"threading.Thread": " _args _bootstrap _bootstrap_inner _context _daemonic _delete _handle _ident _initialized _invoke_excepthook _is_stopped" +
			" _kwargs _name _native_id _os_thread_handle _reset_internal_locks _set_ident _set_native_id _set_tstate_lock _started _stderr _stop" +
			" _target _tstate_lock _wait_for_tstate_lock daemon getName ident isDaemon is_alive join name native_id run setDaemon setName start ",
		"json.JSONEncoder": " default encode item_separator iterencode key_separator allow_nan check_circular ensure_ascii indent skipkeys sort_keys ",
		"json.JSONDecoder": " decode raw_decode memo object_hook object_pairs_hook parse_* scan_once strict ",
		"logging.Handler": " _at_fork_reinit _closed _name acquire addFilter close createLock emit filter filters flush format formatter get_name" +
			" handle handleError level lock name release removeFilter setFormatter setLevel set_name ",
		"logging.Formatter": " _fmt _style converter datefmt default_msec_format default_time_format format formatException formatMessage formatStack" +
			" formatTime usesTime ",
		"logging.Filter":              " filter name nlen ",
		"ast.NodeVisitor":             " generic_visit visit visit_* ",
		"ast.NodeTransformer":         " generic_visit visit visit_* ",
		"contextlib.ContextDecorator": " _recreate_cm ",
	},
}

const (
	phpUnit = " assert*" +
		" addToAssertionCount addWarning any assertPostConditions assertPreConditions at atLeast atLeastOnce atMost" +
		" backupGlobals backupGlobalsBlacklist backupGlobalsExcludeList backupStaticAttributes" +
		" backupStaticAttributesBlacklist backupStaticAttributesExcludeList count createConfiguredMock createMock" +
		" createPartialMock createResult createStub createTestProxy dataDescription dataName doesNotPerformAssertions" +
		" doubledTypes exactly expect* fail getActualOutput getActualOutputForAssertion getAnnotations getDataSetAsString" +
		" getDependencies getExpectedException getExpectedExceptionCode getExpectedExceptionMessage" +
		" getExpectedExceptionMessageRegExp getGroups getMockBuilder getMockClass getMockForAbstractClass getMockForTrait" +
		" getMockFromWsdl getName getNumAssertions getObjectForTrait getProvidedData getResult getSize getStatus" +
		" getStatusMessage getTestResultObject hasDependencies hasExpectationOnOutput hasFailed hasOutput hasSize iniSet" +
		" invokeTestMethod isInIsolation isLarge isMedium isSmall markAsRisky markTestIncomplete markTestSkipped never" +
		" onConsecutiveCalls onNotSuccessfulTest once preserveGlobalState prophesize providedTests provides recordDoubledType" +
		" registerComparator registerMockObject requires returnArgument returnCallback returnSelf returnValue returnValueMap" +
		" run runBare runTest runClassInSeparateProcess runTestInSeparateProcess setBackupGlobals setBackupStaticAttributes" +
		" setBeStrictAboutChangesToGlobalState setDependencies setDependencyInput setGroups setInIsolation setLocale setName" +
		" setOutputCallback setPreserveGlobalState setRegisterMockObjectsFromTestArgumentsRecursively setResult" +
		" setRunClassInSeparateProcess setRunTestInSeparateProcess setTestResultObject setUp setUpBeforeClass" +
		" setUseErrorHandler sortId tearDown tearDownAfterClass throwException toString transformException usesDataProvider "
	minitest = " after_setup after_teardown assert* refute* assertions before_setup before_teardown capture_* class_name diff error? exception_details" +
		" expect fail_after failure failures flunk i_suck_and_my_tests_are_order_dependent! inherited io_lock jruby? location maglev?" +
		" make_my_diffs_pretty! marshal_* message methods_matching metadata mri? mu_* name on_signal osx? parallelize_me! pass passed? platform reset" +
		" result_code rubinius? run run_* runnable* sanitize_exception setup skip skip_until skipped? teardown test_order things_to_diff time" +
		" time_it value windows? with_* _ "
	pyTestCase = " _add* _base* _call* _class* _deprecate _diffThreshold _formatMessage _get* _outcome _setup* _subtest _tearDown* _test* _truncateMessage" +
		" _type* _cleanups addClassCleanup addCleanup addTypeEqualityFunc assert* countTestCases debug defaultTestResult doClassCleanups doCleanups" +
		" enterClassContext enterContext fail* id longMessage maxDiff run setUp setUpClass shortDescription skipTest subTest tearDown tearDownClass "
)
