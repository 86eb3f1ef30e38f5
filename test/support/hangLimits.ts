/** Times that only a hang reaches, also on a machine that is busy with other work. No test may count on less. */

/** For a state or an element to appear. */
export const stateLimitMs = 60_000;

/** For one test in a browser. */
export const testLimitMs = 240_000;
