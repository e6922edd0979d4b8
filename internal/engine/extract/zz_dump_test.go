package extract
import ("testing";"os";"fmt";"strings")
func TestZZ(t *testing.T){
 p:=os.Getenv("ZZ"); if p=="" {t.Skip()}
 src,_:=os.ReadFile(p)
 var s *spec
 if strings.HasSuffix(p,".cs"){ s=csharpSpec() } else { s=phpSpec() }
 syms,fields:=grammarNames(s.language())
 s2:=&spec{language:s.language}
 s2.kinds=make([]string,len(syms)+1); for i,n:=range syms { s2.kinds[i+1]=n }
 s2.fields=make([]string,len(fields)+1); for i,n:=range fields { s2.fields[i+1]=n }
 g,_:=newGrammar(s2)
 pr,_:=newTreeParser()
 nodes,_:=pr.parse(g,src,limits{})
 tr:=tree{nodes:nodes,text:string(src),g:g}
 var rec func(n node,d int)
 rec=func(n node,d int){
  f:=""; if tr.fieldOf(n)!=0 {f=s2.fields[tr.fieldOf(n)]+": "}
  txt:=""; if tr.after(n)==n+1 {txt=fmt.Sprintf(" %q",tr.str(n))}
  nm:=s2.kinds[tr.kind(n)]; if tr.isError(n){nm="ERROR"}
  if tr.isNamed(n)||os.Getenv("ZA")!=""{ fmt.Printf("%s%s%s%s\n",strings.Repeat(" ",d),f,nm,txt)}
  for c:=tr.first(n);c!=none;c=tr.sibling(c){rec(c,d+1)}
 }
 rec(root,0)
}
