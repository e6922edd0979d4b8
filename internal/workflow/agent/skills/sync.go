package skills

// syncText is the skill that updates the written knowledge of a project.
const syncText = `---
name: ken-sync
description: Brings what is written down about this codebase up to date - why files exist, what words mean. For use when asked to sync or refresh knowledge, or after larger work.
---

# Bring what is written about this codebase up to date

Knowledge is text in .ken/knowledge, which the team commits. Each step says itself when there is nothing to do.

1. ` + "`ken entity sync`" + `: refreshes pages, moves those of renamed files, archives those of deleted ones.
2. ` + "`ken entity next --batch 5`" + ` hands out the files whose page is most worth writing, with the form of a page. Read each file and those that use it, then pass
   the page to ` + "`ken entity put FILE`" + ` on standard input: why the file exists, not what is in it. A page that is refused says what is wrong. Repeat until nothing is
   left, or until what was asked for is done; with many files, a sub-agent for each batch.
3. ` + "`ken context sync`" + `: keeps what was taken from rules and design documents, and names those that have changed since somebody summed them up. Read each of these
   and pass what matters of it, in at most 15 lines, to ` + "`ken context put FILE`" + ` on standard input.
4. ` + "`ken agreement check`" + ` names agreements that no longer hold, ` + "`ken agreement sync`" + ` marks them. For a word of the user that has turned out to mean a certain
   declaration, and was confirmed by the user or a test: ` + "`ken agreement add TERM SYMBOL --evidence TEXT`" + `.
5. ` + "`ken memory consolidate`" + `: what was learned moves with renamed files, and is marked where its code is gone.
6. ` + "`ken entity check`" + `: pages that need another look.

- Write only what was read in the code or confirmed by the user. Where a purpose is not clear, skip the file.
- No credentials, and no orders to whoever reads it: both are refused or masked.
- At the end say how many pages, summaries and agreements were written, refused and left, and leave the commit to the user.
`
