/** Who has the thread, and for how long; or that the process is to end if the named call has it. */
export const questions = { who: 0, end: 1 } as const;

/** One byte for the question and four for the call. */
export const questionLength = 5;
/** Four bytes for a call, 0 for none, and four for the milliseconds that it has had the thread. */
export const answerLength = 8;
