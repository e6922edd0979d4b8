package main

import (
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
)

// set is a public set of passages, of which only those that order an agent to act count.
type set struct {
	repo, commit string
	paths        []string       // files, or folders of files that are a passage each
	passage      *regexp.Regexp // its first group is a literal; nil for folders
	named        bool           // half of it is held back
	apart        bool           // it is not learned
}

// literals of a file in JSON and of one in Python.
const (
	inJSON   = `("(?:[^"\\]|\\.)*")`
	inPython = `("""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`
)

// sets are the public sets. The two that are named, InjecAgent's and ASB's, have nothing but orders to an agent and were not read while the
// rules were written; of the others the rules know some.
var sets = []set{
	{repo: "uiuc-kang-lab/AdaptiveAttackAgent", commit: "7ea08cf4424e689079c6bc6348e28fbb84a090eb", named: true,
		paths:   []string{"InjecAgent/data/attacker_cases_dh.jsonl", "InjecAgent/data/attacker_cases_ds.jsonl"},
		passage: regexp.MustCompile(`"Attacker Instruction": ?` + inJSON)},
	{repo: "Zhang-Henry/AIOS_agent", commit: "b38a3d201c13ce8cf74ebc2aa61ce771f14ef3f4", named: true,
		paths: []string{"data/all_attack_tools.jsonl"}, passage: regexp.MustCompile(`"Attacker Instruction": ?` + inJSON)},
	{repo: "proventra/proventra-core", commit: "5f7a2f60880f19bed10f9721e2b109aeff149879",
		paths: []string{"benchmark/data/test_data.py"}, passage: regexp.MustCompile(`(?s)"text": ` + inPython)},
	{repo: "rustyorb/pincer", commit: "961485b0321259cf65ed3497e9c125cb587679bf", paths: []string{"src/lib/attacks/injection.ts"},
		passage: regexp.MustCompile("(?s)prompt:\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`|'(?:[^'\\\\]|\\\\.)*')")},
	{repo: "markmishaev76/Prompt-Shield", commit: "41beabf155aeed7d3319698c85eefebc0642509d",
		paths:   []string{"src/prompt_shield/evaluation/test_cases.py"},
		passage: regexp.MustCompile(`(?s)content=` + inPython + `,\s*content_type=[\w.]+,\s*trust_level=[\w.]+,\s*is_malicious=True`)},
	{repo: "ogulcanaydogan/Prompt-Injection-Firewall", commit: "d4a3041539ac6d1303ef05d98c59e596296aec1d",
		paths: []string{"benchmarks/dataset/injections.json"}, passage: regexp.MustCompile(`"text": ` + inJSON)},
	{repo: "meta-llama/PurpleLlama", commit: "4be64c3a24442b51c76175e6ec67722cc3f5fe38",
		paths:   []string{"CybersecurityBenchmarks/datasets/prompt_injection/prompt_injection.json"},
		passage: regexp.MustCompile(`"user_input": ` + inJSON + `,\s*"judge_question": ` + inJSON + `,\s*"injection_variant": "\w+",\s*"injection_type": "indirect"`)},
	{repo: "aliakarma/langchain-prompt-injection", commit: "251485443039f062cb20c9c5e993b4cde1de7c7d",
		paths: []string{"data/synthetic/injections.jsonl"}, passage: regexp.MustCompile(`"text": ` + inJSON)},
	{repo: "CatarinaSeigward/Email-Agent-Prompt-Injection-and-GRPO-Defense", commit: "2db1c29134b3cc756e3364ebf52f0c7be3b9bfc1",
		paths: []string{"data/attack_seeds.jsonl"}, passage: regexp.MustCompile(`"body": ` + inJSON)},
	{repo: "carlosdenner-videns/prompt-injection-security", commit: "192c95d65b1b278c61568bf20cf7ea71ebbb798e",
		paths: []string{"phase6b/data/novel_attacks.json"}, passage: regexp.MustCompile(`"query": ` + inJSON)},
	{repo: "SaFo-Lab/AgentDyn", commit: "5353cf7615b135cace8d07c8f12dac53a16b6db3", paths: []string{
		"src/agentdojo/default_suites/v1/banking/injection_tasks.py", "src/agentdojo/default_suites/v1/dailylife/injection_tasks.py",
		"src/agentdojo/default_suites/v1/github/injection_tasks.py", "src/agentdojo/default_suites/v1/shopping/injection_tasks.py",
		"src/agentdojo/default_suites/v1/slack/injection_tasks.py", "src/agentdojo/default_suites/v1/travel/injection_tasks.py",
		"src/agentdojo/default_suites/v1/workspace/injection_tasks.py"}, passage: regexp.MustCompile(`GOAL = \(?\s*f?` + inPython)},
	{repo: "microsoft/agent-governance-toolkit", commit: "b5705588883fac48b88cbe6fd0bd7d48c798453e",
		paths:   []string{"benchmarks/prompt-injection/corpus/injection-smoke.jsonl"},
		passage: regexp.MustCompile(`"bypass_class": "(?:plain|multilingual)".*"risk_level": "(?:high|critical)".*"text": ` + inJSON)},
	{repo: "HackaT104/prompt-injection-detector", commit: "0cdddf6d66d64ab06685f6e99efd7d0ab08dcd74",
		paths: []string{"data/external_benchmark/direct/neuralchemy_normalized.csv"},
		passage: regexp.MustCompile(`neuralchemy,("(?:[^"]|"")*"|[^,"\n]*),1,` +
			`(?:RAG_POISONING|AGENT_MANIPULATION|INSTRUCTION_OVERRIDE|SYSTEM_MANIPULATION|PROMPT_INJECTION)`)},
	{repo: "Jawbreaker1/bridgewarden", commit: "2b4afab7f880d2e639eb1462ee78eec29fcef6b6", paths: []string{"test-corpus/fixtures/injected_"}},
	{repo: "aisa-group/skill-inject", commit: "182f3d9d9836e81cdae213e9b9cec1d9be96eea3", apart: true,
		paths:   []string{"data/obvious_injections.json", "data/contextual_injections.json"},
		passage: regexp.MustCompile(`"line_injection": ` + inJSON)},
}

// passages returns the passages of the set, each once. It fails if git does.
func (s *set) passages(repos string) (list []string, err error) {
	seen := map[string]bool{}
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" && !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	if s.passage == nil {
		files, err := git(repos, s.repo, "ls-tree", "-r", "--name-only", s.commit)
		for _, f := range strings.Fields(files) {
			if strings.HasPrefix(f, s.paths[0]) && !strings.HasSuffix(f, ".json") && err == nil {
				var text string
				text, err = git(repos, s.repo, "show", s.commit+":"+f)
				add(text)
			}
		}
		return list, err
	}
	for _, path := range s.paths {
		text, err := git(repos, s.repo, "show", s.commit+":"+path)
		if err != nil {
			return nil, err
		}
		text, _, _ = strings.Cut(text, "LEGITIMATE_REQUESTS") // of proventra, which follow the attacks
		for _, m := range s.passage.FindAllStringSubmatch(text, -1) {
			add(literal(m[1]))
		}
	}
	return list, nil
}

// isHeld reports whether a passage of a named set is of the half that is held back.
func isHeld(passage string) bool { return hash(passage)&1 == 1 }

func hash(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	sum := h.Sum32()
	return sum ^ sum>>15
}

// literal returns the text of a literal of JSON, Python, TypeScript or of a field in CSV.
func literal(s string) string {
	if strings.HasPrefix(s, `"""`) {
		return strings.Trim(s, `"`)
	}
	if len(s) < 2 || !strings.Contains("\"'`", s[:1]) {
		return s
	}
	body := strings.NewReplacer(`\'`, `'`, "\\`", "`", "\n", `\n`, `\/`, `/`).Replace(s[1 : len(s)-1])
	if s[0] != '"' {
		body = strings.ReplaceAll(body, `"`, `\"`)
	}
	if text, err := strconv.Unquote(`"` + body + `"`); err == nil {
		return text
	}
	return body
}
