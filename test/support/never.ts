/** A call that is never answered. */
export const never = (): Promise<never> => new Promise(() => {});
