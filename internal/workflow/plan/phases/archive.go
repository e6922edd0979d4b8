package phases

import (
	"strconv"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// ArchivedFolders are the folders of phases that were moved into the archives of their milestones, and those that stay, with the reason.
type ArchivedFolders struct {
	Moved []ArchivedFolder `json:"moved"`
	Left  []ArchivedFolder `json:"left"`
}

// ArchivedFolder is a folder of a phase whose milestone is over.
type ArchivedFolder struct {
	Folder    string   `json:"folder"`
	Milestone string   `json:"milestone"`
	To        string   `json:"to,omitempty"`
	Open      []string `json:"open_plans,omitempty"`
	Reason    string   `json:"reason,omitempty"`
}

func archiveOperation() *planop.Operation {
	return changeOperation(planop.Spec[planop.NoInput, *ArchivedFolders]{
		Name: "phases archive", Summary: "move folders of phases of milestones that are over into their archives",
		Plain: func(a *ArchivedFolders) string {
			return strconv.Itoa(len(a.Moved)) + " moved, " + strconv.Itoa(len(a.Left)) + " left"
		},
	}, (*phaseJob).archiveFolders)
}

func (j *phaseJob) archiveFolders(*planop.NoInput) (*ArchivedFolders, error) {
	list, err := j.inv.Leftovers()
	if err != nil {
		return nil, err
	}
	out := &ArchivedFolders{Moved: []ArchivedFolder{}, Left: []ArchivedFolder{}}
	for _, l := range list {
		if l.Stays != "" {
			out.Left = append(out.Left, ArchivedFolder{Folder: l.Dir, Milestone: l.Version, Open: l.Open, Reason: l.Stays})
			continue
		}
		if err := j.moveToArchive(j.planningPath(l.Dir), l.To); err != nil {
			return nil, err
		}
		out.Moved = append(out.Moved, ArchivedFolder{Folder: l.Dir, Milestone: l.Version, To: folder.Name + "/" + l.To, Open: l.Open})
	}
	return out, nil
}
