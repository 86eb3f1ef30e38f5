import type { NewHistoryEntry } from '../../src/model/history/historyEntry.ts';
import { HistoryThread } from '../../src/model/history/thread/historyThread.ts';

const source = new URL('../../src/model/history/thread/main.ts', import.meta.url);
export const builtHistoryThread = new URL('../../dist/historyThread.mjs', import.meta.url);

/** The history thread, from its source unless set. Dispose it in the end. */
export function startHistoryThread(folder: string, options: { onDamage?: (file: string) => void; entry?: URL } = {}) {
  const thread = new HistoryThread({ entry: source, folder, ...options });
  return {
    call: thread.call.bind(thread),
    add: (entry: Partial<NewHistoryEntry>, maxEntries = 100_000) =>
      thread.call('add', { entry: historyEntry(entry), maxEntries }),
    page: (page: Partial<Parameters<typeof thread.call<'page'>>[1]> = {}) =>
      thread.call('page', { count: 1000, ...page }),
    [Symbol.asyncDispose]: () => thread.dispose(),
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
