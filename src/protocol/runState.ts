/**
 * The states of a run. `more`: no call is under way, and the source has more rows. `paused`: a budget is used up, and the
 * rest waits at the service. `limited`: the user ended a paused run, and kept its rows.
 */
export const runStates = ['running', 'paused', 'more', 'done', 'failed', 'cancelled', 'limited'] as const;
export type RunState = (typeof runStates)[number];

/** The budget that is used up: the rows or bytes of one result, or the disk space of all results together. */
export const pauseReasons = ['rows', 'bytes', 'disk'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/**
 * The outcome of a write whose answer was lost. `unknown`: the write may have been done, and the service can tell. `expired`:
 * the write may have been done, but the service may have forgotten it. `replayed`: the write was done, and this is the answer.
 */
export const writeOutcomes = ['unknown', 'expired', 'replayed'] as const;
export type WriteOutcome = (typeof writeOutcomes)[number];
