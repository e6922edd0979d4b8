package outcome

// signWords lists the words of each sign in languages with blanks: "*" at the end is any end of the word, "_" a blank.
var signWords = [...]struct {
	sign  sign
	words string
}{
	{denied, `not no_longer doesn't didn't isn't aren't wasn't weren't won't can't cannot cant couldn't hasn't haven't don't dont doesnt didnt isnt arent wasnt wont
		couldnt havent hasnt never neither unable no_se no_me no_lo no_la no_le no_está no_están no_hay no_ha no_han no_tiene
		no_puedo no_puede nicht nichts nie pas jamais não nao нет не нельзя никак`},
	{no, `no nothing none kein keine keinen rien aucun aucune nunca nada nadie tampoco ningún ninguna nenhum nenhuma ничего`},
	{faulty, `broken wrong wrongly incorrect incorrectly worse bad badly terrible horrible awful ugly messed mess fail* crash* freez* froze frozen hang hangs hung
		stall* stuck lag laggy lags glitch* flicker* overlap* misalign* mismatch* inconsistent useless nonsense hideous duplicat* broke breaks breaking buggy
		miscalculat* distort* truncated clipped corrupt* messy overflow* unreadable disconnect* skinny sluggish garbage flawed timeout timeouts times_out
		timed_out squashed artifact artifacts jumps slips conflict* falsch kaputt schief fehlerhaft abgestürzt stürzt hängt cassé* mauvais* faux plante* bloqué*
		coincé* mal falla* fallo fallando falló roto rota rompe* rompió equivocad* desalinead* desborda* feo duplicad* errado errada quebr* ruim falha* falhou
		travou travando сломан* сломал* неправильн* неверн* падает упал* криво завис* слетел* глюч* тормозит лагает`},
	{failures, `error errors erros erro errro errror eror erors erorr* exception exceptions bug bugs 404 500 403 400 401 405 409 502 fehler
		fehlermeldung* erreur* errores erro ошибк* ошибок баг баги`},
	{troubles, `issue issues problem problems trouble warning warnings problème* problema problemas проблем*`},
	{lasting, `still keeps immer_noch noch_immer weiterhin toujours sigue siguen todavía ainda continua continuam ещё еще по-прежнему все_равно всё_равно`},
	{repeated, `again anymore any_more yet the_same same_error same_issue same_problem same_thing schon_wieder encore otra_vez de_nuevo lo_mismo el_mismo la_misma o_mesmo de_novo novamente опять снова`},
	{strange, `weird weirdly strange strangely odd oddly somehow some_how for_some_reason confusing fishy suspicious unexpectedly literally ridiculous komisch seltsam
		merkwürdig bizarre* étrange* raro rara extraño estranho странн* почему-то`},
	{sworn, `wtf wth what_the_hell what_the_fuck the_fuck fuck fucking fucked shit bullshit crap scheiße verdammt merde mierda merda блин`},
	{opposed, `but however except unfortunately although though tho sadly aber leider jedoch allerdings mais malheureusement cependant pero lamentablemente fíjate
		fijate porém infelizmente но однако хотя`},
	{lately, `now currently suddenly rn after jetzt plötzlich derzeit maintenant soudain actuellement ahora actualmente agora atualmente теперь сейчас после`},
	{perceived, `i_have we_have im_getting gettting getting see seeing saw get getting got gets gives giving show shows showed showing says said display* appear* look looks looked looking seems seem seemed feels
		receive* receiving throws throwing returns returned reports has there's there_is there_are notice* tried trying sehe bekomme erhalte zeigt
		kommt wirft vois obtiens reçois affiche* apparaît reste j'ai veo sale salió aparece* recibo tengo muestra obtengo hay vejo recebo tenho deu mostra tivemos
		вижу выдает выдаёт появляется получаю возникает выскакивает пишет показывает вылетает приходит`},
	{undone, `revert undo rollback restore rückgängig annule deshaz revierte desfaz desfaça reverta откати верни отмени`},
	{wished, `should shouldn't supposed must sollte müsste devrait debería deberia deveria должен должна должно должны`},
	{absent, `missing miss gone lost empty blank disappear* vanish* misses invisible nowhere truncated fehlt fehlen verschwunden manque* disparu* vide falta faltan
		desaparec* perdido vacío sumiu sumiram vazio пропал* исчез* отсутству* пусто пустой пустая пустые нету`},
	{praised, `great perfect good nice works worked working thanks thank awesome amazing excellent fantastic phenomenal love fixed resolved solved cool fine super danke toll perfekt
		parfait merci bravo génial perfecto gracias fenomenal perfeito obrigado ótimo отлично спасибо супер хорошо`},
	{effect, `work* show* display* appear* render* load* run* compile* build* open* save* start* connect* respond* update* updat* appl* fix* solv* help* happen* exist*
		match* fit click* trigger* persist* reflect* sync* scroll* allow* let* return* refresh* redirect* play* execut* launch* submit* reach* rotate* move* change*
		visible aligned clickable not_there isn't_there aren't_there wasn't_there correct right true accurate properly correctly see find funktionier* geht klappt läuft zeigt startet lädt öffnet richtig
		marche* fonctionn* charge* démarre* ouvre* funciona* ve ven muestra* carga* abre* compila* arranca* guarda* deja* permite* borra* lanza* mostra* carrega*
		roda* salva* deixa* certo работа* отобража* открыва* загруж* запуска* сохраня* показыва* приход* пришл* добавил* компилир* собира* срабатыва* реагиру*
		отправля* присыла* решил* помогло видно видит`},
	{asked, `why how_come what_happened what_is_going_on what's_going_on what_gives warum wieso pourquoi por_qué por_que porque porqué почему отчего`},
	{objected, `no nope nah not_really wrong wait agh ugh argh nein non нет não`},
	{dependent, `if whether unless in_case maybe perhaps probably falls si se_o se_a se_não если ob`},
	{whenever, `when whenever wenn quand cuando quando когда`},
	{requested, `please want wants i'd would_like let's lets can_we could_we can_you could_you need_to we_need i_need make_sure ensure bitte möchte voudrais quiero puedes
		podrías por_favor necesito quero pode preciso gostaria хочу давай давайте нужно надо можно пожалуйста`},
	{linked, `is are was were looks look seems gets got feels isn't aren't está están estão ist sind est sont ficou quedó`},
	{mild, `i_no_longer need needs needed necessary matter worry mind care want wants require requires required know sure think understand remember allowed yet important must only just
		have_to precisa precisam tem_problema hay_problema критично важно страшно sé sei creo acho sais weiß знаю`},
}

// signParts lists what expresses a sign anywhere in a clause of a language without blanks.
var signParts = [...]struct {
	sign  sign
	parts string
}{
	{denied, "没有 没 不存在 不能 无法 无 不了 不到 不出 不上 并未 没法 不显示 不生效 不对 不起 不行 不见 不全 不正 ません なかった ない 않 안 못 없"},
	{faulty, "有误 错了 乱 失败 卡住 卡死 崩溃 闪退 重叠 异常 太慢 报错 遮挡 混乱 不正常 太多 壊れ おかしい 落ちる 間違 失敗 이상 깨 틀 망가 실패"},
	{failures, "错误 报错 异常 404 エラー バグ 에러 오류 버그"},
	{troubles, "问题 問題 문제"},
	{lasting, "仍然 仍 依然 还在 还没 まだ また 여전히 아직 계속"},
	{repeated, "还是 又"},
	{strange, "奇怪 怎么回事 怎么会 什么情况 変だ 変です 変な なぜか"},
	{opposed, "但是 但 可是 不过 却 确没 しかし けど 하지만 그런데"},
	{lately, "现在 目前 之后 刚刚 現在 지금"},
	{perceived, "看到 显示 出现 发现 提示 好像 似乎 感觉 出ます 出る になります 나와 보여 떠"},
	{undone, "撤销 恢复 回滚 还原 改回 元に戻 되돌"},
	{wished, "应该 才对 才是 べき はず 해야"},
	{absent, "不见 没了 没有了 空白 丢失 消失 缺少 少了 消え なくなっ 사라"},
	{praised, "很好 可以了 好了 成功 谢谢 不错 没有问题 没问题 ありがとう 動きました 고마워"},
	{effect, "显示 反应 变化 效果 生效 作用 动 出现 启动 连接 保存 加载 打开 更新 看到 选中 输出 動 表示 できな 起動 작동 동작 표시 열리"},
	{asked, "为什么 为何 なぜ どうして 왜"},
	{dependent, "如果 若 是否 場合 たら なら 면"},
	{whenever, "的时候 時に とき 때"},
	{mild, "不懂 不太懂 不明白 不太明白 不知道 不清楚 不用 不需要 不要 不想 不会 不是很 没必要 没有必要 没关系 わからない いらない"},
	{questioned, "如何 什么 哪 是不是 有没有 能不能 会不会 要不要 对吧 对吗 吗"},
	{requested, "帮我 请 希望 我想 想要 能不能 给我 してください お願い 해줘 해주세요"},
}

// orderWords are imperatives.
const orderWords = `continua continúa add create make implement write use remove delete put set run check find show give tell explain rename move change update build fix generate refactor
	include commit push pull install configure enable disable convert replace test review analyze analyse read look save start continue proceed do go take try open
	close launch deploy document describe list help define design insert modify ensure keep let allow export import split merge provide compare calculate apply follow
	complete execute print append copy investigate summarize prepare extract turn rewrite double-check integrate connect wire improve restart correct handle report
	reject refuse prevent avoid detect mend solve resolve repair drop ignore skip warn log catch support get say return clarify display reuse throw raise fill bump
	optimize feat docs chore perf ci treat respect preserve validate guard stop deprecate expose introduce rework clean simplify reduce cache
	added fixed simplified updated removed improved changed refactored renamed replaced implemented
	füge erstelle schreib schreibe mach mache prüfe zeige ändere entferne erkläre behebe korrigiere repariere ersetze
	ajoute crée écris fais modifie supprime vérifie explique corrige mets remplace répare
	agrega crea haz elimina cambia mueve pon añade crear agregar corregir revisa genera actualiza usa desarrolla implementa muestra sube analiza ajusta incluye adapta conecta arregla explica
	adicione crie faça remova atualize mude verifique implemente execute analise rode coloque utilize investigue investigar corrigir criar adicionar verificar atualizar rodar executar implementar planejar conserte arrume substitua corrija
	добавь сделай создай напиши исправь исправьте почини удали измени проверь обнови покажи запусти проанализируй реализуй перенеси объясни замени`

// orderParts begin an order in languages without blanks.
const orderParts = "继续 清理 整理 去掉 取消 改成 修复 修改 添加 增加 删除 检查 优化 创建 生成 执行 分析 更新 查看 将 把 帮我 请 整合 实现 设计 解释 写 启动 移除 给我 先 再 重新"

// orderEnds end an order in Japanese and Korean.
const orderEnds = "て ください 주세요 줘 하세요"
