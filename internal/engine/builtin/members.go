package builtin

import "strings"

// members are, by family, names of members that values of built-in and standard types have. Where the type of a receiver
// is not known, such a name is no evidence for the only definition of it in the repository.
var members = map[string]string{
	"script": scriptMembers,
	"python": ` add append as_posix capitalize casefold cancel center clear close copy count decode difference discard encode endswith exists
 expandtabs extend fileno find findall finditer flush format fromkeys fullmatch get group groups index insert intersection is_dir is_file isalnum
 isalpha isdigit islower isspace isupper issubset items iterdir join keys ljust lower lstrip match mkdir name open partition pop popitem put read
 readline readlines remove replace result reverse rfind rjust rpartition rsplit rstrip run search seek send set setdefault sort split
 splitlines start startswith stop strip sub submit swapcase tell title translate truncate union update upper value values wait write zfill `,
	"rust": ` and_then append as_bytes as_mut as_ref as_slice as_str borrow borrow_mut chain chars clear clone cloned cmp collect concat contains
 contains_key copied count dedup deref drain ends_with entry enumerate eq err expect extend filter filter_map find first flat_map flatten flush
 fmt fold get get_mut get_or_insert_with hash index insert into into_inner into_iter is_empty is_err is_none is_ok is_some iter iter_mut join
 keys last len lines load lock map map_err max min next ok ok_or or_else parse partial_cmp peek poll pop position push push_str read recv remove
 replace reserve resize rev send set skip sort sort_by split spawn starts_with store sum swap take then to_owned to_string to_vec trim truncate
 try_from try_into unwrap unwrap_or unwrap_or_default unwrap_or_else update values wait wake windows with_capacity write zip `,
	"ruby": ` all? any? call capitalize clone close collect compact concat count delete detect downcase dup each each_with_index empty? find
 find_all first flatten format freeze get gsub has_key? hash include? index inject inspect join key? keys last length map match merge name new
 open pop push puts raise read reduce reject replace respond_to? reverse run select send set shift size slice sort sort_by split start
 start_with? stop strip sub sum take tap to_a to_h to_s to_sym type uniq upcase update value values write zip
 abs append at bytes bytesize ceil center chars chomp chop codepoints combination cycle default dig digits divmod drop each_char each_cons
 each_entry each_key each_line each_pair each_slice each_value each_with_object encode encoding entries eql? fetch fill filter filter_map
 find_index flat_map floor fold force_encoding getbyte group_by gsub! hex insert intersect? invert itself keep_if lines ljust lstrip max max_by
 member? min min_by minmax none? oct one? ord partition permutation prepend product rindex rjust rotate round rpartition rstrip sample scan
 scrub sort! squeeze step sub! succ swapcase tally times to_c to_f to_i to_proc to_r to_str tr transform_keys transform_values transpose
 truncate unicode_normalize union unpack unpack1 upto valid_encoding? values_at `,
}

// Member reports whether values of built-in types of a family have a member of a name.
func Member(family, name string) bool {
	list := members[family]
	for at := 0; ; {
		n := strings.Index(list[at:], name)
		if n < 0 {
			return false
		}
		start, end := at+n, at+n+len(name)
		if start > 0 && isBlank(list[start-1]) && end < len(list) && isBlank(list[end]) {
			return true
		}
		at = end
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' }
