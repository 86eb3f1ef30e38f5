/** Who has the thread, for how long and in how much memory; or that the process is to end if the named call has it. */
export const questions = { who: 0, end: 1 } as const;

/** One byte for the question and four for the call. */
export const questionLength = 5;
/** Four bytes for a call, 0 for none, four for the milliseconds that it has had the thread, four for the process's megabytes. */
export const answerLength = 12;
