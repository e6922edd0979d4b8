// What parser.go sees of the C side: parse a file and hand back its whole tree
// as one array, in one call.
#ifndef KEN_SHIM_H
#define KEN_SHIM_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSTree TSTree;

// One node of the tree, in pre-order from index 1; 0 is an empty node that stands
// for none. Go reads the array in place (rawNode).
typedef struct {
  uint32_t start, end; // bytes
  uint32_t row;        // 0-based row of start
  uint32_t parent;     // index; 0 for the root's
  uint32_t next;       // index after the last descendant
  uint16_t kind;       // the grammar's own number for the symbol, 0 for those it does not ask for
  uint8_t field;       // the grammar's own number for the field, 0 for those it does not ask for
  uint8_t flags;
} ken_node;

enum { KEN_NAMED = 1, KEN_MISSING = 2, KEN_ERROR = 4, KEN_EXTRA = 8 };

enum {
  KEN_OK = 0,
  KEN_WORK = 1,  // the limit of work or memory stopped the parser: no tree
  KEN_CLOCK = 2, // the clock did: no tree
  KEN_CUT = 3,   // a tree, without what lies deeper or later than the caps
  KEN_FAIL = 4   // out of memory or a grammar the runtime refuses
};

// Caps and tables of one parse.
typedef struct {
  const TSLanguage *lang;
  const uint16_t *kinds; // by symbol
  uint32_t nkinds;
  const uint8_t *fields; // by field id
  uint32_t nfields;
  uint64_t work;      // bytes the parser may ask the allocator for, in total
  uint64_t memory;    // bytes it may have at once
  uint32_t millis;    // CPU time allowed
  uint32_t max_nodes; // nodes allowed
  uint32_t max_depth; // levels allowed
} ken_limits;

typedef struct {
  ken_node *nodes;
  uint32_t count, cap;
  ken_node *kept; // the tree that ken_swap put aside
  uint32_t kept_count, kept_cap;
  uint64_t work; // spent by the last parse
  ken_arena arena;
  // Trees in the arena or NULL: the one that ken_reparse begins with, that of the last parse, and one that the next parse deletes.
  TSTree *tree, *next, *dropped;
} ken_parser;

bool ken_open(ken_parser *p);
void ken_close(ken_parser *p);
// ken_swap exchanges the tree with the one put aside: the next parse leaves it alone.
void ken_swap(ken_parser *p);
void ken_trim(ken_parser *p); // frees the tree put aside if it is large
int ken_parse(ken_parser *p, const char *src, uint32_t len, const ken_limits *lim);

// ken_adopt makes the tree of the last parse the one that ken_reparse begins with.
void ken_adopt(ken_parser *p);
// ken_reparse parses src, of which most is equal to before, the source of the adopted tree and as long: what did not change keeps its
// nodes. Without such a tree it parses all of src.
int ken_reparse(ken_parser *p, const char *before, const char *src, uint32_t len, const ken_limits *lim);
void ken_release(ken_parser *p); // drops the trees that are kept

uint32_t ken_symbols(const TSLanguage *lang);
const char *ken_symbol(const TSLanguage *lang, uint32_t id, bool *anonymous);
uint32_t ken_fields(const TSLanguage *lang);
const char *ken_field(const TSLanguage *lang, uint32_t id);

#endif
