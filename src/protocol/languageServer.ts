/**
 * The arguments of the language server's process. Most of its memory is garbage after one use: a larger young generation
 * would take some thirty megabytes more and save no time.
 */
export const languageServerArguments: readonly string[] = ['--max-semi-space-size=4'];
