/**
 * The arguments of the language server's process, most of whose memory is garbage after one use.
 *
 * - A larger young generation would take some thirty megabytes more and save no time.
 * - Without the limit of its growth, the heap would wait for twice its live size before a collection: sixty megabytes more
 *   after some hundred edits.
 * - V8 takes sixty megabytes and a second to optimize the largest function of the parser, and the process keeps much of that
 *   memory. The first optimization of that function, by another compiler, is as fast.
 * - Each thread of V8 keeps memory of its own. Two are enough for one server.
 */
export const languageServerArguments: readonly string[] = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=30',
  '--max-optimized-bytecode-size=10000',
  '--v8-pool-size=2',
];
