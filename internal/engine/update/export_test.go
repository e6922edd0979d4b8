package update

import "context"

// Remake makes the index anew after a look at the tree, however little changed.
func (w *Writer) Remake(ctx context.Context) (*Update, error) {
	look, err := w.compareAgain(ctx)
	if err != nil {
		return nil, err
	}
	return w.rebuildFromUnchanged(ctx, look, Request{})
}

// OnClassify sets a function that w calls for every classification of a path.
func OnClassify(w *Writer, f func(path string)) { w.onClassify = f }
