"""Words of sentences and figures, of which everything that people read is made."""
