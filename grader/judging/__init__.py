"""From a download to results in a store: submissions, kits, phases, executors."""
