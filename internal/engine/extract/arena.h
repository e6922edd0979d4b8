// The memory of one parse. Everything the runtime asks for comes from an arena, which is emptied at
// once when the parse ends. So a parse that asks for more than it may have is left in the
// middle of an operation, without taking its tree apart: after an error at the end of ambiguous source
// the runtime copies every way to read it, 22 GB for 480 KB of "template<", within one operation.
#ifndef KEN_ARENA_H
#define KEN_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

// Sizes up to 512 bytes go by 16, and from there to 16 KB by quarters of a power of two.
enum { ARENA_FINE = 32, ARENA_CLASSES = ARENA_FINE + 20 };

typedef struct arena_chunk arena_chunk;
typedef struct arena_large arena_large;

typedef struct {
  arena_chunk *first, *chunk; // all chunks; the one that is being filled
  char *at, *end;             // what is left of it
  void *freed[ARENA_CLASSES];
  arena_large *larges; // what is larger than any class
  size_t used, limit;  // bytes
  jmp_buf full;        // where to go when the limit is reached, with 1, or there is no memory, with 2
} ken_arena;

void *ken_arena_alloc(ken_arena *a, size_t size);
void *ken_arena_realloc(ken_arena *a, void *p, size_t size);
void ken_arena_free(ken_arena *a, void *p);
void ken_arena_reset(ken_arena *a, size_t keep); // frees all but the first keep bytes of room
#endif
