// A guard around the Ruby grammar's external scanner, see ruby_guard.c.
#ifndef KEN_RUBY_GUARD_H
#define KEN_RUBY_GUARD_H

const void *ken_ruby_guarded(const void *language);

#endif
