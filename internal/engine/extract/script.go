package extract

func walkScript(f *file) {}
func headScript(f *file) {}
