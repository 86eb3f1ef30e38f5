/** Answers a call never. */
export const never = (): Promise<never> => new Promise(() => {});
