package source

import "ken/internal/engine/source/scan"

// ReadListing decodes what the last look at the tree saw, as the index stored
// it; nil if there is none this ken can read.
func ReadListing(r interface{ Look() ([]byte, error) }) (*scan.Listing, error) {
	packed, err := r.Look()
	l, _ := scan.DecodeListing(packed)
	return l, err
}
