package filename_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/ask/filename"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

// TestCompanions finds what goes with a file by name in small trees, each a list
// of paths: those of a case share nothing but names.
func TestCompanions(t *testing.T) {
	for _, c := range []struct{ name, tree, file, want string }{
		{"go", "store/store.go store/store_test.go store/store_linux.go store/store_gen.go store/mock_store.go store/testdata/store.txt other/store.go store/restore.go", "store/store.go",
			"tests store/store_test.go 3\ngenerated store/store_gen.go 3\nfixtures store/testdata/store.txt 3\nmocks store/mock_store.go 3\nvariants store/store_linux.go 3"},
		{"a test's subject", "store/store.go store/store_test.go store/bench_test.go", "store/store_test.go", "subjects store/store.go 3"},
		{"laravel", "app/Models/Product.php tests/Feature/ProductTest.php database/factories/ProductFactory.php database/migrations/2024_01_02_000000_create_products_table.php database/seeders/ProductSeeder.php app/Http/Controllers/ProductController.php lang/en/product.php resources/views/product.blade.php app/Models/ProductPrice.php database/migrations/2024_01_03_create_orders_table.php",
			"app/Models/Product.php", "tests tests/Feature/ProductTest.php 2\nfactories database/factories/ProductFactory.php 2\nmigrations database/migrations/2024_01_02_000000_create_products_table.php 2\nseeders database/seeders/ProductSeeder.php 2\ni18n lang/en/product.php 1\nlayers app/Http/Controllers/ProductController.php 1"},
		{"rails", "app/models/user.rb spec/models/user_spec.rb spec/factories/users.rb db/migrate/20240101_add_email_to_users.rb app/controllers/users_controller.rb app/helpers/users_helper.rb spec/controllers/users_controller_spec.rb",
			"app/models/user.rb", "tests spec/models/user_spec.rb 2\nfactories spec/factories/users.rb 2\nmigrations db/migrate/20240101_add_email_to_users.rb 2\nlayers app/controllers/users_controller.rb 2\nlayers app/helpers/users_helper.rb 2"},
		{"a component", "src/Button/Button.tsx src/Button/Button.test.tsx src/Button/Button.stories.tsx src/Button/Button.module.css src/Button/__snapshots__/Button.test.tsx.snap src/Button/index.ts src/Card/Card.module.css docs/button.md",
			"src/Button/Button.tsx", "tests src/Button/Button.test.tsx 3\nsnapshots src/Button/__snapshots__/Button.test.tsx.snap 3\nstories src/Button/Button.stories.tsx 3\nstyles src/Button/Button.module.css 3\ndocuments docs/button.md 1"},
		{"an index file goes by its folder", "src/menu/index.tsx src/menu/index.test.tsx src/list/index.tsx src/list/index.test.tsx", "src/menu/index.tsx", "tests src/menu/index.test.tsx 3"},
		{"java", "core/src/main/java/a/b/Pool.java core/src/test/java/a/b/PoolTest.java core/src/test/java/a/b/PoolIT.java jmh/src/main/java/a/b/PoolBenchmark.java core/src/test/java/c/PoolTest.java",
			"core/src/main/java/a/b/Pool.java", "tests core/src/test/java/a/b/PoolIT.java 2\ntests core/src/test/java/a/b/PoolTest.java 2\nbenchmarks jmh/src/main/java/a/b/PoolBenchmark.java 1"},
		{"python", "pkg/io/reader.py tests/io/test_reader.py tests/io/fixtures/reader.json pkg/io/reader.pyi tests/net/test_reader.py", "pkg/io/reader.py",
			"tests tests/io/test_reader.py 1\ntypes pkg/io/reader.pyi 3\nfixtures tests/io/fixtures/reader.json 1"},
		{"c", "include/proj/dict.h src/dict.c tests/test_dict.c src/dict_linux.c", "src/dict.c", "tests tests/test_dict.c 2\nheaders include/proj/dict.h 1\nvariants src/dict_linux.c 3"},
		{"a header", "include/proj/dict.h src/dict.c", "include/proj/dict.h", "headers src/dict.c 1"},
		{"protobuf", "api/user.proto api/user.pb.go api/user_grpc.pb.go gen/api/user_pb2.py", "api/user.proto", "generated api/user.pb.go 3\ngenerated api/user_grpc.pb.go 3"},
		{"declarations", "lib/route.js types/route.d.ts test/route.test.js types/other.d.ts", "lib/route.js", "tests test/route.test.js 2\ntypes types/route.d.ts 1"},
		{"tester", "src/Validators/NotNullValidator.cs src/Validators.Tests/NotNullValidatorTester.cs", "src/Validators/NotNullValidator.cs",
			"tests src/Validators.Tests/NotNullValidatorTester.cs 0"},
		{"rust", "src/router.rs tests/router.rs benches/router.rs src/router/tests.rs", "src/router.rs", "tests src/router/tests.rs 3\ntests tests/router.rs 2\nbenchmarks benches/router.rs 2"},
		{"a generic name far away is none", "a/utils.py b/utils.py tests/test_utils.py c/tests/test_utils.py", "a/utils.py", ""},
		{"nothing", "README.md", "README.md", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{}
			for _, p := range strings.Fields(c.tree) {
				files[p] = "x\n"
			}
			var got []string
			enginetest.New(t, files).Ask(func(ctx context.Context, s *view.Snapshot) error {
				list, err := filename.Companions(ctx, s, []string{c.file})
				for _, x := range list {
					got = append(got, fmt.Sprintf("%s %s %d", x.Kind, x.Path, x.Near))
				}
				return err
			})
			if d := cmp.Diff(c.want, strings.Join(got, "\n")); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
