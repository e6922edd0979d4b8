package plancode

import (
	"context"
	"time"

	"ken/internal/delivery/plancode/codegraph"
	"ken/internal/workflow/plan/intel"
	"ken/internal/workflow/plan/planop"
)

// Intel returns the function through which package intel queries a project's index.
func Intel(open Open) intel.Ask {
	j := &planIndexOps{open: open}
	return func(ctx context.Context, c *planop.Call, w intel.Wanted) (*intel.Indexed, error) {
		var x *intel.Indexed
		err := j.withSource(ctx, c, func(ctx context.Context, s *source) (err error) {
			if s.s == nil {
				x = &intel.Indexed{Note: s.index.Note}
				return nil
			}
			if x, err = codegraph.Answer(ctx, s.s, w); err != nil {
				return err
			}
			info, err := s.s.Info(ctx)
			if err != nil {
				return err
			}
			x.Revision, x.Commit, x.Updated = uint64(info.Rev), info.Head, info.Looked
			if x.Updated.UnixNano() <= 0 {
				x.Updated = time.Now()
			}
			return nil
		})
		return x, err
	}
}
