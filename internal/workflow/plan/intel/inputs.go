package intel

type intelExtractExportsInput struct {
	File   string `arg:"FILE" help:"from the root of the project"`
	Source string `flag:"source" enum:"index,files" help:"ken's index or the files that agents wrote; the index if there is one"`
}

type graphifyQueryInput struct {
	Term   string `arg:"TERM" help:"what is looked for; upper and lower case are one"`
	Budget int    `flag:"budget" terminal:"yes" value:"N" help:"about so many tokens; less certain edges go first"`
	Source string `flag:"source" enum:"index,files" help:"ken's index or the files that agents wrote; the index if there is one"`
}

type sourceInput struct {
	Source string `flag:"source" enum:"index,files" help:"ken's index or the files that agents wrote; the index if there is one"`
}

type intelQueryInput struct {
	Term   string `arg:"TERM" help:"what is looked for; upper and lower case are one"`
	Source string `flag:"source" enum:"index,files" help:"ken's index or the files that agents wrote; the index if there is one"`
}

type fileInput struct {
	File string `arg:"FILE" help:"from the root of the project"`
}
