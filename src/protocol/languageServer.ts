/**
 * How the language server's process is started. What it reads of a document is used once and left, for which the engine
 * would keep some thirty megabytes more without being faster.
 */
export const languageServerArguments: readonly string[] = ['--max-semi-space-size=4'];
