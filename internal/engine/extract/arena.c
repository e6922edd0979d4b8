#include "arena.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 18, MAX_SMALL = 1 << 14, LARGE = ARENA_CLASSES };

struct arena_chunk {
  arena_chunk *next;
};

// A large piece is malloc's own, in a list.
struct arena_large {
  arena_large *prev, *next;
  size_t size;
};

// Each piece has its class in the eight bytes before it. Like those of malloc, they lie on multiples of eight
// bytes; the runtime has nothing that needs more.
typedef uint64_t header;

static header *header_of(void *p) { return (header *)p - 1; }
static arena_large *large_of(void *p) { return (arena_large *)header_of(p) - 1; }

static unsigned class_of(size_t size) {
  if (size <= 16 * ARENA_FINE) return (unsigned)((size + 15) / 16 - 1);
  unsigned log = 63 - (unsigned)__builtin_clzll(size - 1); // 2^log < size <= 2^(log+1)
  return ARENA_FINE + (log - 9) * 4 + (unsigned)((size - 1) >> (log - 2) & 3);
}

static size_t size_of_class(unsigned c) {
  if (c < ARENA_FINE) return 16 * ((size_t)c + 1);
  c -= ARENA_FINE;
  return (size_t)(5 + c % 4) << (7 + c / 4);
}

static void use(ken_arena *a, size_t bytes) {
  if (bytes > a->limit - a->used) longjmp(a->full, 1);
  a->used += bytes;
}

static void *checked(ken_arena *a, void *p) {
  if (!p) longjmp(a->full, 2);
  return p;
}

static void next_chunk(ken_arena *a) {
  use(a, CHUNK);
  arena_chunk **next = a->chunk ? &a->chunk->next : &a->first;
  if (!*next) {
    *next = checked(a, malloc(CHUNK));
    (*next)->next = NULL;
  }
  a->chunk = *next;
  a->at = (char *)(a->chunk + 1);
  a->end = (char *)a->chunk + CHUNK;
}

static void *add_large(ken_arena *a, arena_large *l, size_t size) {
  l->size = size;
  l->prev = NULL;
  l->next = a->larges;
  if (l->next) l->next->prev = l;
  a->larges = l;
  header *h = (header *)(l + 1);
  *h = LARGE;
  return h + 1;
}

static void remove_large(ken_arena *a, arena_large *l) {
  if (l->prev) l->prev->next = l->next; else a->larges = l->next;
  if (l->next) l->next->prev = l->prev;
  a->used -= l->size;
}

void *ken_arena_alloc(ken_arena *a, size_t size) {
  if (size > MAX_SMALL - sizeof(header)) {
    if (size > SIZE_MAX / 2) longjmp(a->full, 2);
    size += sizeof(arena_large) + sizeof(header);
    use(a, size);
    return add_large(a, checked(a, malloc(size)), size);
  }
  unsigned c = class_of(size + sizeof(header));
  void *p = a->freed[c];
  if (p) {
    memcpy(&a->freed[c], p, sizeof p);
    return p;
  }
  size_t room = size_of_class(c);
  if ((size_t)(a->end - a->at) < room) next_chunk(a);
  header *h = (header *)a->at;
  a->at += room;
  *h = c;
  return h + 1;
}

void ken_arena_free(ken_arena *a, void *p) {
  if (!p) return;
  unsigned c = (unsigned)*header_of(p);
  if (c == LARGE) {
    arena_large *l = large_of(p);
    remove_large(a, l);
    free(l);
    return;
  }
  memcpy(p, &a->freed[c], sizeof p); // every class has room for a pointer behind the header
  a->freed[c] = p;
}

void *ken_arena_realloc(ken_arena *a, void *p, size_t size) {
  if (!p) return ken_arena_alloc(a, size);
  unsigned c = (unsigned)*header_of(p);
  if (c == LARGE && size > MAX_SMALL - sizeof(header)) { // malloc may move it without a copy
    if (size > SIZE_MAX / 2) longjmp(a->full, 2);
    arena_large *l = large_of(p);
    size_t had = l->size;
    size += sizeof(arena_large) + sizeof(header);
    if (size > had) use(a, size - had); else a->used -= had - size;
    l->size = size; // counted so far, even if realloc fails
    remove_large(a, l);
    a->used += size;
    arena_large *moved = realloc(l, size);
    if (!moved) free(l);
    return add_large(a, checked(a, moved), size);
  }
  size_t had = c == LARGE ? large_of(p)->size - sizeof(arena_large) - sizeof(header) : size_of_class(c) - sizeof(header);
  if (c != LARGE && size <= had) return p;
  void *to = ken_arena_alloc(a, size);
  memcpy(to, p, had < size ? had : size);
  ken_arena_free(a, p);
  return to;
}

void ken_arena_reset(ken_arena *a, size_t keep) {
  while (a->larges) {
    arena_large *l = a->larges;
    a->larges = l->next;
    free(l);
  }
  arena_chunk **c = &a->first;
  for (; *c && keep >= CHUNK; keep -= CHUNK) c = &(*c)->next;
  for (arena_chunk *rest = *c; rest;) {
    arena_chunk *next = rest->next;
    free(rest);
    rest = next;
  }
  *c = NULL;
  a->chunk = NULL;
  a->at = a->end = NULL;
  memset(a->freed, 0, sizeof a->freed);
  a->used = 0;
}
