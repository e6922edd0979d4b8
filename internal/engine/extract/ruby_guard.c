// The Ruby grammar (0.23.1) packs the state of its scanner into a buffer of 1,024
// bytes. The length of a here-document's word takes one byte of it, so that a
// word of more than 255 characters makes unpacking abort the process; and a state
// that fills the buffer may run over its end by two bytes. Here the state is
// packed into a larger buffer first; one that cannot be unpacked is given up,
// which costs the here-documents open at that point.
#include "ruby_guard.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BUFFER = 1024, ABI = 14 };

// TSLanguage of ABI 14, as the generated parsers declare it.
typedef struct {
  uint32_t version, counts[8];
  uint16_t max_alias_sequence_length;
  const void *tables[13];
  bool (*lex_fn)(void *, uint16_t);
  bool (*keyword_lex_fn)(void *, uint16_t);
  uint16_t keyword_capture_token;
  struct {
    const bool *states;
    const uint16_t *symbol_map;
    void *(*create)(void);
    void (*destroy)(void *);
    bool (*scan)(void *, void *, const bool *);
    unsigned (*serialize)(void *, char *);
    void (*deserialize)(void *, const char *, unsigned);
  } scanner;
  const uint16_t *primary_state_ids;
} language14;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const language14 *original;
static language14 guarded;

// consistent reports whether unpacking reads exactly n bytes: a count of
// literals of five bytes, a count of here-documents, each three flags, the length
// of its word and the word.
static bool consistent(const unsigned char *b, unsigned n) {
  if (n == 0) return true;
  unsigned at = 1 + 5 * b[0];
  if (at >= n) return false;
  unsigned heredocs = b[at++];
  for (; heredocs > 0; heredocs--) {
    if (at + 4 > n) return false;
    at += 4 + b[at + 3];
  }
  return at == n;
}

static unsigned serialize(void *payload, char *buffer) {
  char packed[2 * BUFFER];
  unsigned n = original->scanner.serialize(payload, packed);
  if (n > BUFFER || !consistent((const unsigned char *)packed, n)) return 0;
  memcpy(buffer, packed, n);
  return n;
}

static void make(void) {
  guarded = *original;
  guarded.scanner.serialize = serialize;
}

// ken_ruby_guarded is the grammar with the guard in place, or the grammar itself
// if its layout is another than that known here.
const void *ken_ruby_guarded(const void *language) {
  if (*(const uint32_t *)language != ABI) return language;
  original = language;
  pthread_once(&once, make);
  return &guarded;
}
