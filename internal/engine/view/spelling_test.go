package view

import "testing"

func TestRespell(t *testing.T) {
	for name, want := range map[string]string{
		"(*Server).Serve":                    "Server.Serve",
		"http.(*Server).Serve":               "http.Server.Serve",
		"(s *Server).Serve":                  "Server.Serve",
		"&Server":                            "Server",
		"@app.route":                         "app.route",
		"Stack[T].Push":                      "Stack.Push",
		`\App\Models\User::save`:             "App.Models.User.save",
		"App\\User->save()":                  "App.User.save",
		"User::$name":                        "User.name",
		"<Style as FromStr>::from_str":       "Style.from_str",
		"Controller<'_>::run":                "Controller.run",
		"crate::style::Style":                "style.Style",
		"HashMap<String, Vec<u8>>::get":      "HashMap.get",
		"Map.prototype.get":                  "Map.get",
		"Base#go(int, String)":               "Base.go",
		"Kernel.send/2":                      "Kernel.send",
		"self.send":                          "send",
		"src/a.py:Session.get()":             "src/a.py:Session.get",
		"tests/a.py:TestA.test_b[None-True]": "tests/a.py:TestA.test_b",
		"operator<":                          "operator<",
		"a(b":                                "a(b",
		"->":                                 "",
		"std::function<int(int)>":            "std.function",
		"Ünïcode::straße":                    "Ünïcode.straße",
	} {
		if got := respell(name); got != want {
			t.Errorf("respell(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzRespell(f *testing.F) {
	f.Add("(*a).b<c>[d]")
	f.Fuzz(func(t *testing.T, name string) {
		once := respell(name)
		if len(once) > len(name) {
			t.Errorf("respell(%q) = %q, which is longer", name, once)
		}
	})
}
