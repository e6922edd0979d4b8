package convention

import (
	"slices"
	"testing"
)

func TestStyle(t *testing.T) {
	for name, want := range map[string]string{
		"userName": camel, "UserName": pascal, "Orders": pascal, "user_name": snake, "user-name": kebab, "USER_NAME": screaming, "_user_name": snake, "HTTPServer": pascal,
		"user2Name": camel, "$scopeName": camel, "orders": "", "URL": "", "User_Name": "", "user-Name": "", "a_b-c": "", "42": "", "": "", "日本": "", "straßeÖffnen": camel,
	} {
		follows, against := namingStyles(name)
		got := ""
		if len(follows) > 0 {
			got = follows[0]
		}
		if got != want || slices.Contains(against, got) || against == nil {
			t.Errorf("%q: follows %q, against %q; want %q", name, follows, against, want)
		}
	}
	for name, not := range map[string][]string{"orders": {pascal, screaming}, "URL": {camel, snake, kebab}, "User_Name": {camel, pascal, snake, kebab, screaming}, "42": {}} {
		if _, against := namingStyles(name); !slices.Equal(against, not) {
			t.Errorf("%q is against %q, want %q", name, against, not)
		}
	}
}
