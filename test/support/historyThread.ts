import type { NewHistoryEntry } from '../../src/model/history/historyEntry.ts';
import { startHistoryThread as startThread } from '../../src/model/history/thread/historyThread.ts';

const source = new URL('../../src/model/history/thread/main.ts', import.meta.url);
export const builtHistoryThread = new URL('../../dist/historyThread.mjs', import.meta.url);

/** The history thread, from its source unless set. Dispose it in the end. */
export function startHistoryThread(folder: string, program = source) {
  const thread = startThread(program, folder);
  return {
    call: thread.call.bind(thread),
    add: (entry: Partial<NewHistoryEntry>, maxEntries = 100_000) =>
      thread.call('add', { entries: [historyEntry(entry)], maxEntries }),
    page: (page: Partial<Parameters<typeof thread.call<'page'>>[1]> = {}) =>
      thread.call('page', { count: 1000, ...page }),
    [Symbol.asyncDispose]: () => thread.end(),
  };
}

export const historyEntry = (entry: Partial<NewHistoryEntry> = {}): NewHistoryEntry => ({
  at: 1_700_000_000_000,
  kind: 'statement',
  profileId: 'shop',
  project: 'Shop',
  sql: 'SELECT 1',
  isWrite: false,
  elapsedMs: 1.5,
  outcome: 'done',
  ...entry,
});
