package outcome

// Kind is the kind of a complaint.
type Kind string

// The kinds of complaints.
const (
	Redo        Kind = "redo"        // it is to be done again
	Denial      Kind = "denial"      // it is not the requested thing
	Malfunction Kind = "malfunction" // it does not work
	Bug         Kind = "bug"         // something is wrong with it
)

// phrase is a wording by which users report that work failed. Its weight is the certainty without other signs.
type phrase struct {
	kind   Kind
	weight float64
	text   string // lower case; of English whole words, "*" at the end is any end of the word
}

// english are wordings that are searched as whole words. Words that are as common in tasks as in complaints ("wrong",
// "again", "error") weigh too little alone: the beginning of the prompt or a reference to the work before has to support
// them.
var english = [...]phrase{
	{Redo, 0.8, "redo it"}, {Redo, 0.8, "redo this"}, {Redo, 0.8, "redo that"}, {Redo, 0.6, "redo"}, {Redo, 0.8, "try again"}, {Redo, 0.8, "do it again"},
	{Redo, 0.8, "do that again"}, {Redo, 0.8, "do this again"}, {Redo, 0.8, "start over"}, {Redo, 0.8, "undo that"}, {Redo, 0.8, "undo this"}, {Redo, 0.8, "undo it"},
	{Redo, 0.8, "undo your"}, {Redo, 0.8, "revert your"}, {Redo, 0.8, "revert that"}, {Redo, 0.8, "revert what you"}, {Redo, 0.8, "roll that back"},
	{Redo, 0.5, "retry"}, {Redo, 0.5, "once more"}, {Redo, 0.4, "again"}, {Redo, 0.8, "fix it again"}, {Redo, 0.8, "fix that again"}, {Redo, 0.8, "fix this again"},

	{Denial, 0.9, "that's not it"}, {Denial, 0.9, "that is not it"}, {Denial, 0.9, "thats not it"}, {Denial, 0.9, "not what i asked"}, {Denial, 0.9, "not what i wanted"},
	{Denial, 0.9, "not what i meant"}, {Denial, 0.9, "isn't what i"}, {Denial, 0.8, "that's wrong"}, {Denial, 0.8, "that is wrong"}, {Denial, 0.8, "this is wrong"},
	{Denial, 0.8, "thats wrong"}, {Denial, 0.8, "it's wrong"}, {Denial, 0.8, "you misunderstood"}, {Denial, 0.8, "you got it wrong"}, {Denial, 0.8, "not right"},
	{Denial, 0.7, "not that"}, {Denial, 0.5, "wrong"}, {Denial, 0.5, "incorrect"}, {Denial, 0.4, "not correct"},

	{Malfunction, 0.8, "doesn't work"}, {Malfunction, 0.8, "doesn't it work"}, {Malfunction, 0.8, "doesn't this work"}, {Malfunction, 0.8, "doesnt work"}, {Malfunction, 0.8, "does not work"}, {Malfunction, 0.8, "didn't work"}, {Malfunction, 0.8, "did not work"},
	{Malfunction, 0.8, "didnt work"}, {Malfunction, 0.8, "not working"}, {Malfunction, 0.8, "isn't working"}, {Malfunction, 0.8, "still fail*"}, {Malfunction, 0.8, "still broken"},
	{Malfunction, 0.8, "still crash*"}, {Malfunction, 0.8, "still the same error"}, {Malfunction, 0.8, "won't compile"}, {Malfunction, 0.8, "doesn't compile"},
	{Malfunction, 0.8, "does not compile"}, {Malfunction, 0.8, "doesn't build"}, {Malfunction, 0.7, "errors out"}, {Malfunction, 0.5, "crashes"}, {Malfunction, 0.5, "crashed"},
	{Malfunction, 0.5, "error occur*"}, {Malfunction, 0.4, "tests fail"}, {Malfunction, 0.4, "fails"},

	{Denial, 0.7, "like i asked"}, {Denial, 0.7, "as i asked"}, {Denial, 0.8, "i never asked"}, {Denial, 0.8, "i didn't ask"}, {Denial, 0.8, "i did not ask"}, {Denial, 0.8, "i never wanted"},
	{Denial, 0.8, "forgetting context"}, {Denial, 0.8, "understood something wrong"}, {Denial, 0.7, "almost correct but"}, {Malfunction, 0.8, "i'm not seeing"},
	{Malfunction, 0.8, "im not seeing"}, {Malfunction, 0.7, "not going through"}, {Malfunction, 0.8, "gave me this error"}, {Malfunction, 0.8, "got this error"}, {Malfunction, 0.8, "getting this error"},
	{Malfunction, 0.8, "get this error"}, {Denial, 0.7, "i already fix*"}, {Denial, 0.8, "you forget"}, {Denial, 0.8, "somehow you"}, {Denial, 0.8, "you somehow"},

	// Of conversations with agents, where a complaint seldom names what is wrong.
	{Malfunction, 0.8, "still getting"}, {Malfunction, 0.8, "still get"}, {Malfunction, 0.8, "still no"}, {Malfunction, 0.8, "are still issues"}, {Malfunction, 0.8, "still happens"},
	{Malfunction, 0.8, "still doesn't"}, {Malfunction, 0.8, "still isn't"}, {Malfunction, 0.8, "still not"}, {Malfunction, 0.8, "still can't"}, {Malfunction, 0.8, "still see"},
	{Malfunction, 0.8, "still seeing"}, {Malfunction, 0.8, "did nothing"}, {Malfunction, 0.8, "does nothing"}, {Malfunction, 0.8, "didn't go through"}, {Malfunction, 0.8, "weren't made"},
	{Malfunction, 0.8, "wasn't made"}, {Malfunction, 0.8, "nothing was changed"}, {Malfunction, 0.8, "nothing changed"}, {Malfunction, 0.7, "nothing happens"}, {Malfunction, 0.7, "nothing happened"},
	{Malfunction, 0.8, "doesn't seem to work"}, {Malfunction, 0.8, "does not seem to work"}, {Malfunction, 0.8, "going in circles"}, {Malfunction, 0.7, "not the issue"},
	{Malfunction, 0.6, "i get an error"}, {Malfunction, 0.7, "i'm getting"}, {Malfunction, 0.6, "i am getting"}, {Malfunction, 0.6, "getting an error"}, {Malfunction, 0.6, "same error"},
	{Malfunction, 0.5, "i got no"}, {Malfunction, 0.5, "i don't see"}, {Malfunction, 0.6, "i did not see"}, {Malfunction, 0.6, "i didn't see"},
	{Malfunction, 0.5, "keeps failing"}, {Malfunction, 0.6, "reports an error"},
	{Denial, 0.7, "doesn't seem right"}, {Denial, 0.7, "doesn't look right"}, {Denial, 0.7, "isn't good"}, {Denial, 0.7, "all bad"}, {Denial, 1, "kinds of wrong"},
	{Denial, 0.7, "makes no sense"}, {Denial, 0.7, "doesn't make sense"}, {Denial, 0.7, "don't make sense"}, {Denial, 0.8, "isn't exactly what"}, {Denial, 0.8, "not exactly what"},
	{Denial, 0.8, "not true"}, {Denial, 0.8, "isn't true"}, {Denial, 0.6, "thats not"}, {Denial, 0.7, "don't like that"},
	{Denial, 0.7, "don't like this"}, {Denial, 0.6, "don't love"}, {Denial, 0.9, "losing the plot"}, {Denial, 0.9, "lost the plot"}, {Denial, 0.7, "you lost me"},
	{Denial, 0.8, "hallucinat*"}, {Denial, 0.9, "what are you doing"}, {Denial, 0.9, "what are you talking about"}, {Denial, 0.9, "what are you smoking"}, {Denial, 0.9, "are to ask me"},
	{Denial, 0.9, "you were told"}, {Denial, 0.8, "i told you"}, {Denial, 0.8, "i already told"}, {Denial, 0.8, "i already said"}, {Denial, 0.9, "have to tell you"},
	{Denial, 0.8, "why did you"}, {Denial, 0.8, "why are you"}, {Denial, 0.7, "you didn't"}, {Denial, 0.9, "you sure didn't"}, {Denial, 0.7, "you haven't"}, {Denial, 0.8, "you forgot"},
	{Denial, 0.8, "you missed"}, {Denial, 0.8, "you ignored"}, {Denial, 0.8, "you're wrong"}, {Denial, 0.8, "you are wrong"}, {Denial, 0.8, "you misread"}, {Denial, 0.9, "don't you read"},
	{Denial, 0.9, "don't think you understand"}, {Denial, 0.9, "you don't understand"}, {Denial, 0.9, "same mistake*"}, {Denial, 0.8, "amateur hour"}, {Denial, 0.5, "garbage"},
	{Denial, 0.8, "wth"}, {Denial, 0.8, "wtf"}, {Denial, 0.7, "dude"}, {Denial, 0.7, "come on man"}, {Denial, 0.7, "whoa"}, {Denial, 0.7, "flailing"}, {Denial, 0.7, "no man"},
	{Denial, 0.6, "no no"}, {Denial, 0.6, "i don't like"}, {Denial, 0.7, "follow them"}, {Denial, 0.6, "supposed to be"}, {Denial, 0.6, "explicitly talked"},
	{Denial, 0.7, "enough research"}, {Denial, 0.6, "seems wrong"}, {Denial, 0.6, "which is wrong"}, {Denial, 0.7, "isn't valid"}, {Denial, 0.7, "yes there is"}, {Denial, 0.6, "already have this"},
	{Denial, 0.45, "i said"}, {Denial, 0.6, "i asked you"}, {Malfunction, 0.8, "still same"}, {Malfunction, 0.8, "keep getting"}, {Malfunction, 0.5, "stuck"},
	{Redo, 0.8, "revert it"}, {Redo, 0.8, "undoing all"}, {Redo, 0.8, "i reverted"},
	{Bug, 0.7, "somehow it made"},
	{Malfunction, 0.6, "but it doesn't"}, {Malfunction, 0.6, "but it didn't"}, {Malfunction, 0.6, "but it won't"}, {Malfunction, 0.6, "but that didn't"}, {Malfunction, 0.6, "but they don't"},
	{Denial, 0.7, "no, i want"}, {Denial, 0.7, "no i want"}, {Denial, 0.7, "no, i meant"}, {Denial, 0.6, "i meant"},

	{Bug, 0.8, "you broke"}, {Bug, 0.8, "it's broken"}, {Bug, 0.8, "its broken"}, {Bug, 0.8, "it is broken"}, {Bug, 0.8, "now broken"}, {Bug, 0.7, "something's wrong"},
	{Bug, 0.7, "something is wrong"}, {Bug, 0.5, "there's a bug"}, {Bug, 0.5, "there is a bug"}, {Bug, 0.5, "is broken"},
}

// japanese are wordings that are searched anywhere, because Japanese has no spaces.
var japanese = [...]phrase{
	{Redo, 0.9, "やり直して"}, {Redo, 0.9, "やりなおして"}, {Redo, 0.8, "やり直し"}, {Redo, 0.6, "もう一度"}, {Redo, 0.6, "もういちど"}, {Redo, 0.5, "再度"}, {Redo, 0.8, "元に戻して"},

	{Denial, 0.9, "そうじゃない"}, {Denial, 0.9, "そうではない"}, {Denial, 0.9, "それじゃない"}, {Denial, 0.8, "違います"}, {Denial, 0.8, "違った"}, {Denial, 0.8, "ちがう"},
	{Denial, 0.7, "違う。"}, {Denial, 0.7, "違う、"}, {Denial, 0.5, "違う"}, {Denial, 0.7, "間違ってい"}, {Denial, 0.7, "間違って"},

	{Malfunction, 0.9, "まだ動かない"}, {Malfunction, 0.8, "動かない"}, {Malfunction, 0.8, "動きません"}, {Malfunction, 0.8, "動いていない"}, {Malfunction, 0.8, "動かなかった"},
	{Malfunction, 0.8, "エラーになる"}, {Malfunction, 0.8, "エラーになりま"}, {Malfunction, 0.8, "エラーになった"}, {Malfunction, 0.7, "エラーが出"}, {Malfunction, 0.5, "落ちる"},
	{Malfunction, 0.5, "落ちます"}, {Malfunction, 0.8, "直っていない"}, {Malfunction, 0.8, "直ってない"},

	{Bug, 0.7, "バグがある"}, {Bug, 0.7, "バグがあります"}, {Bug, 0.7, "おかしい"}, {Bug, 0.6, "変だ"}, {Bug, 0.6, "変です"}, {Bug, 0.8, "壊れた"}, {Bug, 0.7, "壊れて"},
}

// before holds words that refer to the work before a prompt, which support a complaint.
var before = [...]string{
	"you", "your", "still", "it", "that", "the last change", "your change", "the fix", "this change", "last time", "now",
	"immer noch", "schon wieder", "deine änderung", "toujours", "ta modification", "sigue", "todavía", "tu cambio", "ainda", "sua mudança", "опять", "снова", "по-прежнему",
	"你的", "刚才", "还是", "仍然", "여전히", "아직도", "방금",
	"さっき", "先ほど", "前回", "今の", "まだ", "その修正", "この修正",
}

// acknowledgements are words with which answers begin.
var acknowledgements = [...]string{
	"ok", "okay", "k", "mmk", "hm", "hmm", "hmmm", "hmmmm", "uh", "uhh", "uhhh", "uhhhh", "yes", "yeah", "yep", "yup", "great", "good", "nice", "cool", "alright", "well", "so", "better",
	"perfect", "thanks", "almost",
}

// surely are the words of before that a task seldom has.
var surely = [...]string{"you", "your", "still", "again", "now", "after", "anymore", "once more", "keeps"}

// tasks holds words with which a question or an order begins.
var tasks = [...]string{
	"why ", "how ", "does ", "is there ", "what ", "if ", "when ", "whether ", "make sure ", "check ", "can you check ", "add ", "describe ", "document ", "explain ", "handle ",
	"implement ", "let ", "read ", "refactor ", "rename ", "show ", "summarise ", "summarize ", "test ", "write ",
	"warum ", "wie ", "wenn ", "falls ", "füge ", "prüfe ", "schreib ", "schreibe ", "erkläre ", "pourquoi ", "comment ", "si ", "ajoute ", "vérifie ", "écris ", "explique ",
	"por qué ", "cómo ", "si ", "añade ", "agrega ", "escribe ", "explica ", "comprueba ", "por que ", "como ", "se ", "adicione ", "escreva ", "explique ", "verifique ",
	"почему ", "как ", "если ", "добавь ", "напиши ", "объясни ", "проверь ", "为什么", "如何", "怎么", "如果", "添加", "实现", "检查", "解释", "写一个", "修复", "修正", "请修复", "请添加", "왜 ",
}

// orders holds verbs that order a change. What is wrong after one of them is in the code and not in the work before.
var orders = [...]string{
	"fix", "correct", "replace", "remove", "update", "improve", "change", "repair", "find", "detect", "report", "reject", "refuse", "prevent", "avoid", "mend", "solve", "resolve",
	"behebe", "korrigiere", "repariere", "ersetze", "entferne", "ändere", "corrige", "répare", "remplace", "supprime", "change", "arregla", "repara", "reemplaza", "elimina", "cambia",
	"corrija", "conserte", "arrume", "substitua", "remova", "mude", "исправь", "исправьте", "почини", "замени", "удали", "измени",
	"delete", "drop", "ignore", "skip", "warn", "log", "catch", "support", "allow", "make", "move", "use", "get",
}

// articles holds the words that may be between an order and the thing that it is about.
var articles = [...]string{"the", "a", "an", "all", "any", "some", "these", "those", "this", "that", "every", "our", "my"}

// courtesies holds words of courtesy.
var courtesies = [...]string{"please", "pls", "now", "and", "can", "could", "would", "you", "kindly", "thanks", "thank"}

// asides holds words of courtesy and regret that may part the words of a phrase, in languages whose phrases are sentences.
var asides = [...]string{
	"bitte", "leider", "s'il te plaît", "s'il vous plaît", "stp", "malheureusement", "hélas", "por favor", "lamentablemente", "desafortunadamente", "infelizmente",
	"пожалуйста", "к сожалению", "увы",
}

// harmless holds wordings that contain a phrase of a complaint and are none.
var harmless = [...]string{
	"it's fine", "no problem", "no hay problema", "não tem problema", "nao tem problema", "still no code", "don't see why", "still no need", "you didn't have to", "that's not a problem", "that's not needed", "not true that", "garbage collect", "garbage in", "nothing changed in",
	"never again", "not again", "works again", "work again", "working again", "run the tests again", "run it again", "again later", "what's wrong with", "what is wrong with",
	"i did wrong", "i was wrong", "exactly what i meant", "没用的", "i made a mistake", "my mistake", "nothing wrong", "nothing is wrong", "not wrong", "isn't wrong", "go wrong", "goes wrong", "went wrong in", "wrong type", "wrong password", "wrong answer", "once more than",
	"no longer crashes", "no longer fails", "never crashes", "if it crashes", "when it crashes", "if it fails", "when it fails", "whether it fails", "if something is wrong",
	"if something's wrong", "retry logic", "retry polic", "with retry", "add retry", "a retry", "retry on", "retry the request", "if it doesn't work", "in case it doesn't work",
	"when it doesn't work", "if it does not work", "if that doesn't work", "if this doesn't work", "undo/redo", "undo and redo", "undo or redo", "redo stack", "redo button", "redo log", "incorrect password",
	"incorrect input", "test that fails", "a test fails", "not that i", "not that it", "not that hard", "not that important", "not right now", "not right away", "if not right",
	"wenn es nicht funktioniert", "falls es nicht", "nicht richtig angezeigt", "si ça ne marche pas", "si no funciona", "se não funciona", "se não funcionar", "если не работает", "которая не работает",
	"который не работает", "которые не работают", "что не работает", "qui ne marche pas", "qui ne fonctionne pas", "que no funciona", "que não funciona", "das nicht funktioniert", "die nicht funktioniert",
	"der nicht funktioniert", "不工作的", "不对的", "不正确的", "有问题的", "报错的", "不能用的", "失败时", "没有问题", "有没有问题", "有没有", "没用过", "没用到", "没有用到", "没有用户", "不对称", "不行数", "是否有问题",
	"에러가 나면", "오류가 나면", "에러가 발생하면", "오류가 발생하면", "에러가 발생할", "오류가 발생할", "안 돼도", "안 되면", "다시 시도 로직", "다시 시도하는", "다시 시도할",
	"もう一度だけ", "動かない場合", "動かないとき", "動かない時", "エラーになる場合", "エラーになるよう", "エラーになるべき", "エラーが出た場合", "落ちる場合", "と違う", "とは違う", "の違う", "違う方法", "違う名前", "違うファイル",
	"おかしい場合", "バグがあるか", "変です か", "再度実行できる", "間違っていないか", "間違っていなければ", "落ちるテスト",
}
