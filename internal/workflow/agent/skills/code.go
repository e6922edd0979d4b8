package skills

// codeText is the text of the skill for guarded tasks. It names the calls and their purpose; each answer itself lists missing steps.
const codeText = `---
name: ken-code
description: Carries out a change, or answers a question, as a guarded task - checked before and reviewed after. For use when a guarded or careful change, or this skill, is asked for.
---

# A change that is checked before it counts

Each step is a tool of ken's MCP server (set guard) or the command ` + "`ken task NAME`" + `, with the same arguments. Every answer names the state, what is missing and the cheapest
way forward: follow that instead of guessing. Calls that are refused cost nothing but the call.

What the user may add: ` + "`--full`" + ` (demand everything), ` + "`--overlay`" + ` (write in a work tree of its own), ` + "`--only-explore`" + ` (change nothing), ` + "`--clean`" + `: run
` + "`ken clean`" + `, say what it left and why, and stop. Use its --force only if the user says so, because it loses work.

1. **Begin**: ` + "`ken task start_session`" + ` with the user's own words as query; intent IMPLEMENT (something new), MODIFY, INVESTIGATE or QUESTION; gate_level full for --full;
   enable_overlay for --overlay. Read the rules and documents that it answers. Where it lists context_update_required, read those documents and pass their summaries to
   ` + "`ken task update_context`" + `. Give the id of the task with every call, because other agents may work on others.
2. **Look**: ` + "`ken task query`, `ken task find_definitions`, `ken task find_references`, `ken task get_function_at_line`" + `, or your own Read and Grep where hooks are installed. Only what was
   looked at in the task counts as evidence. With intent INVESTIGATE or QUESTION answer now, with places, and end at step 7.
3. **Which code is meant**: where a word of the user may mean several things, ` + "`ken task validate_symbol_relevance`" + `. A RISK is looked at; what turns out to be meant is confirmed
   by ` + "`ken task confirm_symbol_relevance`" + ` with code that shows it.
4. **May it be written?**
   - auto: ` + "`ken task check_write_target FILE:NAME`" + ` of each target; a declaration needs less than a whole file. Read what it names as unread, then ask again. Where it demands
     an analysis: ` + "`ken task analyze_impact`" + `, read each file that must be verified and each document
     that must be confirmed, ` + "`ken task submit_impact_analysis`" + ` with a status and a reason of each.
   - full: ` + "`ken task set_query_frame`" + ` with quotes copied from the user's prompt and nothing invented; ` + "`ken task submit_understanding`" + `; if it asks for more,
     ` + "`ken task semantic_search`, `ken task submit_semantic`" + ` and ` + "`ken task submit_verification`" + `; then the analysis as above.
   - After three verifications that fail you are asked to step back: ` + "`ken task revert_to_exploration`" + ` and read again. If it says to ask the user, do that and wait.
5. **Write**, below edit_root if there is one and nowhere else. A file that was not announced: ` + "`ken task check_write_target`" + ` first, or ` + "`ken task add_explored_files`" + `. Run the tests.
   Where a tool is denied, do what the denial names; do not write by a command instead: it is noticed and blocks the review.
6. **Review**: ` + "`ken task submit_for_review`" + `. With a work tree: ` + "`ken task review_changes`" + `; take out what it marks as garbage unless the user asked for it, and say of the rest why it stays;
   ` + "`ken task finalize_changes`" + ` with keep or discard for each file and a message; show the user the commit and ask; then ` + "`ken task merge_to_main`" + ` and ` + "`ken task cleanup`" + `.
   On a conflict it says how to go on. Without a work tree show the diff and leave the commit to the user.
7. **How it turned out**: once the user or the tests have said so, ` + "`ken task record_outcome`" + ` success, failure or partial. Of a success it proposes agreements: keep with
   ` + "`ken agreement add`" + ` what the user has confirmed.

- Copy quotes; do not improve them. A value without a quote is a hypothesis and has to be verified.
- Do not fill counts: names that exist and have nothing to do with the target do not count.
- What ken says it cannot judge is yours to judge: say in your answer how you did.
`
