/**
 * The arguments of the language server's process. Most of its memory is garbage after one use. A larger young generation
 * would take some thirty megabytes more and save no time. Without the limit of its growth, the heap would wait for twice its
 * live size before a collection: sixty megabytes more after some hundred edits.
 */
export const languageServerArguments: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=30'];
