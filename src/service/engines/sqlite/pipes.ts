/** The files that a project's process has besides its standard ones: the calls' pipe, and its watchdog's. */
export const pipes = { calls: 3, watchdog: 4 } as const;
