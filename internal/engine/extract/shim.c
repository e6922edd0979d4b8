#include "shim.h"

#if defined(__linux__)
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The runtime is compiled by the go-tree-sitter module, whose headers cgo cannot
// reach from here, so the few prototypes used are repeated (tree_sitter/api.h
// of v0.25.0). They are weak because this package's own cgo test link lacks the
// definitions; the program's link has them (parser.go imports the module).
#if defined(__APPLE__)
#define API extern
#else
#define API extern __attribute__((weak))
#endif

typedef struct TSParser TSParser;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t start, old_end, new_end; TSPoint start_point, old_end_point, new_end_point; } TSInputEdit;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct {
  void *payload;
  const char *(*read)(void *payload, uint32_t byte, TSPoint at, uint32_t *len);
  int encoding; // 0 is UTF-8
  void *decode;
} TSInput;
typedef struct { void *payload; uint32_t byte; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress)(TSParseState *state); } TSParseOptions;

API void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
API TSParser *ts_parser_new(void);
API void ts_parser_delete(TSParser *);
API bool ts_parser_set_language(TSParser *, const TSLanguage *);
API TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *, TSInput, TSParseOptions);
API void ts_tree_delete(TSTree *);
API TSTree *ts_tree_copy(const TSTree *);
API void ts_tree_edit(TSTree *, const TSInputEdit *);
API TSNode ts_tree_root_node(const TSTree *);
API TSTreeCursor ts_tree_cursor_new(TSNode);
API void ts_tree_cursor_delete(TSTreeCursor *);
API TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
API uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
API bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
API bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
API bool ts_tree_cursor_goto_parent(TSTreeCursor *);
API uint16_t ts_node_symbol(TSNode);
API uint32_t ts_node_start_byte(TSNode);
API uint32_t ts_node_end_byte(TSNode);
API TSPoint ts_node_start_point(TSNode);
API bool ts_node_is_named(TSNode);
API bool ts_node_is_missing(TSNode);
API bool ts_node_is_extra(TSNode);
API uint32_t ts_language_symbol_count(const TSLanguage *);
API const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
API int ts_language_symbol_type(const TSLanguage *, uint16_t);
API uint32_t ts_language_field_count(const TSLanguage *);
API const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

static const uint16_t ERROR_SYMBOL = UINT16_MAX;
static const uint32_t KEEP = 1 << 15; // nodes a parser keeps room for between files (0.8 MB)
static const size_t KEEP_ROOM = 1 << 20; // bytes of its arena that it keeps
static const size_t KEEP_TREE = 32 << 20; // with more than that a tree is not kept for the next parse

uint32_t ken_symbols(const TSLanguage *lang) { return ts_language_symbol_count(lang); }
uint32_t ken_fields(const TSLanguage *lang) { return ts_language_field_count(lang); }
const char *ken_field(const TSLanguage *lang, uint32_t id) { return ts_language_field_name_for_id(lang, id); }
const char *ken_symbol(const TSLanguage *lang, uint32_t id, bool *anonymous) {
  *anonymous = ts_language_symbol_type(lang, id) == 1;
  return ts_language_symbol_name(lang, id);
}

// The runtime allocates from here. Its Go module would have every malloc and
// free of a parse call into Go and back, which costs more than the parsing. And
// the bytes asked for are the measure of work: what makes hostile source slow is
// that the parser copies ever longer lists of children, within few operations.
static _Thread_local uint64_t work;

// What it does not ask for is the search after an error: the parser tries every
// token as the one that is missing, and then notes the states it could go on from,
// down the stack past everything skipped so far. That takes some 26 us, and 7 ns for
// each search before it. A search is told by its two allocations, one right after the
// other: the list of those states and room for the first eight (stack.c,
// ts_stack_record_summary).
typedef struct { void *contents; uint32_t size, capacity; } StackSummary;
typedef struct { uint32_t bytes, row, column; unsigned depth; uint16_t state; } StackSummaryEntry;
enum { SEARCH = 2048, SEARCH_BEFORE = 4 }; // work of a search, and for each before it
static _Thread_local uint32_t searches;
static _Thread_local size_t asked; // by the last malloc

static void count_search(size_t size) {
  if (size == 8 * sizeof(StackSummaryEntry) && asked == sizeof(StackSummary)) work += SEARCH + SEARCH_BEFORE * (uint64_t)searches++;
  asked = size;
}

// The arena of the parse that this thread is in.
static _Thread_local ken_arena *arena;

static void *work_malloc(size_t size) {
  work += size + 64;
  count_search(size);
  return ken_arena_alloc(arena, size);
}
static void *work_calloc(size_t count, size_t size) {
  work += count * size + 64;
  return memset(ken_arena_alloc(arena, count * size), 0, count * size);
}
static void *work_realloc(void *p, size_t size) {
  work += size + 64;
  return ken_arena_realloc(arena, p, size);
}
static void work_free(void *p) { ken_arena_free(arena, p); }
static pthread_once_t allocator_once = PTHREAD_ONCE_INIT;
static void set_allocator(void) { ts_set_allocator(work_malloc, work_calloc, work_realloc, work_free); }

#ifdef M_ARENA_MAX
// Go calls from whatever thread it likes, and glibc gives each an arena of its own,
// up to eight a core, none of which gives back what one large tree took: on two
// cores 58 MB for sympy, 34 with one a core. glibc asks for the limit once, when
// the second thread allocates, which the Go runtime's do: hence before it starts.
__attribute__((constructor)) static void limit_arenas(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  mallopt(M_ARENA_MAX, cores < 2 ? 2 : (int)cores);
}
#endif

bool ken_open(ken_parser *p) {
  memset(p, 0, sizeof *p);
  return pthread_once(&allocator_once, set_allocator) == 0;
}

void ken_close(ken_parser *p) {
  free(p->nodes);
  free(p->kept);
  ken_arena_reset(&p->arena, 0);
  memset(p, 0, sizeof *p);
}

void ken_swap(ken_parser *p) {
  ken_node *nodes = p->nodes;
  uint32_t count = p->count, cap = p->cap;
  p->nodes = p->kept, p->count = p->kept_count, p->cap = p->kept_cap;
  p->kept = nodes, p->kept_count = count, p->kept_cap = cap;
}

void ken_trim(ken_parser *p) {
  if (p->kept_cap <= KEEP) return;
  free(p->kept);
  p->kept = NULL;
  p->kept_count = p->kept_cap = 0;
}

typedef struct {
  const char *src;
  uint32_t len;
  uint32_t given; // where the last piece ended
  uint64_t max_work;
  uint32_t calls;
  struct timespec end;
  int stopped;
} input;

// Source is handed out piece by piece, and a byte handed out is eight of work: a
// scanner of a grammar may look at all that follows from every byte on, within one
// operation of the parser. When the work is done for, the source ends. Ordinary
// source is handed out little more than once. The pieces are small, because a step
// back before one hands out a whole piece again: the runtime takes one to the
// beginning of the line whenever a scanner asks for the column (Scala).
static const uint32_t PIECE = 256;

static const char *read_input(void *payload, uint32_t byte, TSPoint at, uint32_t *len) {
  input *in = payload;
  (void)at;
  *len = byte < in->len ? in->len - byte : 0;
  if (*len > PIECE) *len = PIECE;
  work += 8 * (uint64_t)*len;
  if (work > in->max_work) {
    in->stopped = KEN_WORK;
    // The runtime asks again from within a piece that ends in what is no whole
    // character, and decodes what it then gets without looking whether that is
    // anything. So it gets one byte before the source ends.
    *len = byte < in->given;
    in->given = byte;
    return "";
  }
  in->given = byte + *len;
  return *len ? in->src + byte : "";
}

static bool progress(TSParseState *state) {
  input *in = state->payload;
  struct timespec now;
  if (work > in->max_work) {
    in->stopped = KEN_WORK;
  } else if ((++in->calls & 3) == 0 && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 &&
             (now.tv_sec > in->end.tv_sec || (now.tv_sec == in->end.tv_sec && now.tv_nsec > in->end.tv_nsec))) {
    in->stopped = KEN_CLOCK;
  }
  return in->stopped != KEN_OK;
}

static ken_node *push(ken_parser *p) {
  if (p->count == p->cap) {
    uint32_t cap = p->cap ? p->cap * 2 : 1 << 13;
    ken_node *nodes = realloc(p->nodes, (size_t)cap * sizeof *nodes);
    if (!nodes) return NULL;
    p->nodes = nodes;
    p->cap = cap;
  }
  return &p->nodes[p->count++];
}

static int flatten(ken_parser *p, const TSTree *tree, const ken_limits *lim) {
  TSTreeCursor cur = ts_tree_cursor_new(ts_tree_root_node(tree));
  uint32_t parent = 0, depth = 0;
  int status = KEN_OK;
  ken_node *none = push(p); // node 0: no children, no text, no kind
  if (none) *none = (ken_node){.next = 1};
  for (;;) {
    ken_node *n = none && p->count < lim->max_nodes ? push(p) : NULL;
    if (!n) {
      status = KEN_CUT;
      break;
    }
    TSNode node = ts_tree_cursor_current_node(&cur);
    uint16_t symbol = ts_node_symbol(node), field = depth ? ts_tree_cursor_current_field_id(&cur) : 0;
    uint32_t index = p->count - 1;
    n->start = ts_node_start_byte(node);
    n->end = ts_node_end_byte(node);
    n->row = ts_node_start_point(node).row;
    n->parent = parent;
    n->next = index + 1;
    n->kind = symbol < lim->nkinds ? lim->kinds[symbol] : 0;
    n->field = field < lim->nfields ? lim->fields[field] : 0;
    n->flags = (ts_node_is_named(node) ? KEN_NAMED : 0) | (ts_node_is_missing(node) ? KEN_MISSING : 0) |
               (symbol == ERROR_SYMBOL ? KEN_ERROR : 0) | (ts_node_is_extra(node) ? KEN_EXTRA : 0);
    if (depth < lim->max_depth) {
      if (ts_tree_cursor_goto_first_child(&cur)) {
        parent = index;
        depth++;
        continue;
      }
    } else {
      status = KEN_CUT;
    }
    while (depth && !ts_tree_cursor_goto_next_sibling(&cur)) {
      ts_tree_cursor_goto_parent(&cur);
      p->nodes[parent].next = p->count;
      parent = p->nodes[parent].parent;
      depth--;
    }
    if (!depth) break;
  }
  while (depth) { // cut short: close what is open
    p->nodes[parent].next = p->count;
    parent = p->nodes[parent].parent;
    depth--;
  }
  ts_tree_cursor_delete(&cur);
  return status;
}

enum { NEAR = 32, MAX_EDITS = 256 }; // changes so close are one; with more than so many all is parsed again

// edit notes in tree where src differs from before, and reports whether there are few such places.
static bool edit(TSTree *tree, const char *before, const char *src, uint32_t len) {
  TSPoint at = {0, 0};
  uint32_t edits = 0;
  TSInputEdit e = {0};
  bool open = false;
  for (uint32_t i = 0; i < len; i++) {
    if (before[i] != src[i]) {
      if (open && i > e.new_end + NEAR) {
        ts_tree_edit(tree, &e);
        if (++edits == MAX_EDITS) return false;
        open = false;
      }
      if (!open) e.start = i, e.start_point = at, open = true;
      e.old_end = e.new_end = i + 1;
      e.old_end_point = e.new_end_point = (TSPoint){at.row, at.column + 1};
    }
    if (src[i] == '\n') at.row++, at.column = 0; else at.column++;
    if (before[i] != src[i] && (before[i] == '\n' || src[i] == '\n')) return false;
  }
  if (open) ts_tree_edit(tree, &e);
  return true;
}

static int parse(ken_parser *p, const char *before, input *in, const ken_limits *lim) {
  // A parser of its own for each file (an empty one takes 3.4 us in all): one that has parsed before has
  // room left and asks for less, so that the work would depend on history; and
  // one stopped while balancing its tree would resume there and abort.
  TSTree *dropped[] = {p->dropped, p->next != p->tree ? p->next : NULL};
  p->dropped = p->next = NULL;
  for (int i = 0; i < 2; i++) {
    if (dropped[i]) ts_tree_delete(dropped[i]);
  }
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, lim->lang)) return KEN_FAIL;
  TSTree *old = before ? ts_tree_copy(p->tree) : NULL;
  bool reuse = old && edit(old, before, in->src, in->len);
  TSTree *tree = ts_parser_parse_with_options(parser, reuse ? old : NULL, (TSInput){.payload = in, .read = read_input},
                                              (TSParseOptions){.payload = in, .progress = progress});
  p->work = work;
  int status = in->stopped ? in->stopped : tree ? flatten(p, tree, lim) : KEN_FAIL;
  ts_parser_delete(parser); // for what the scanner of the grammar has from malloc; the tree is the arena's
  if (old) ts_tree_delete(old);
  p->next = tree;
  return status;
}

static int run(ken_parser *p, const char *before, const char *src, uint32_t len, const ken_limits *lim) {
  p->count = 0;
  work = 0;
  searches = 0;
  asked = 0;
  if (p->cap > KEEP) {
    free(p->nodes);
    p->nodes = NULL;
    p->cap = 0;
  }
  input in = {.src = src, .len = len, .max_work = lim->work};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &in.end);
  in.end.tv_sec += lim->millis / 1000;
  in.end.tv_nsec += (long)(lim->millis % 1000) * 1000000;
  if (in.end.tv_nsec >= 1000000000) {
    in.end.tv_nsec -= 1000000000;
    in.end.tv_sec++;
  }
  if (!before) ken_release(p);
  arena = &p->arena;
  arena->limit = lim->memory;
  int status;
  switch (setjmp(arena->full)) {
  case 0:
    status = parse(p, before, &in, lim);
    break;
  case 1: // What a scanner has from malloc itself is lost: some hundred bytes.
    p->work = work;
    status = KEN_WORK;
    break;
  default:
    status = KEN_FAIL;
  }
  if (!p->next || arena->used > KEEP_TREE) ken_release(p);
  return status;
}

int ken_parse(ken_parser *p, const char *src, uint32_t len, const ken_limits *lim) { return run(p, NULL, src, len, lim); }

int ken_reparse(ken_parser *p, const char *before, const char *src, uint32_t len, const ken_limits *lim) {
  int status = p->tree ? run(p, before, src, len, lim) : KEN_WORK;
  // A tree that is kept leaves less memory, and may have been what made the parse too dear.
  return status == KEN_OK || status == KEN_CUT ? status : run(p, NULL, src, len, lim);
}

void ken_adopt(ken_parser *p) {
  if (!p->next || p->next == p->tree) return;
  p->dropped = p->tree;
  p->tree = p->next;
}

void ken_release(ken_parser *p) {
  p->tree = p->next = p->dropped = NULL;
  ken_arena_reset(&p->arena, KEEP_ROOM);
}
