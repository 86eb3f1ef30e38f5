import type { CallAnswer, CallOf, CallTypes, NoParams } from '../../../base/callTable.ts';
import type { HistoryEntry, NewHistoryEntry } from '../historyEntry.ts';
import type { HistoryPage } from '../historyStore.ts';

/** The calls from the window to the history thread. The types of both ends follow from this table. */
export interface HistoryThreadCalls {
  readonly add: CallTypes<{ readonly entry: NewHistoryEntry; readonly maxEntries: number }, void>;
  readonly page: CallTypes<HistoryPage, HistoryEntry[]>;
  readonly projects: CallTypes<NoParams, { readonly profileId: string; readonly project: string }[]>;
  readonly remove: CallTypes<{ readonly id: number }, void>;
  readonly clear: CallTypes<NoParams, void>;
  readonly dropValues: CallTypes<NoParams, void>;
  readonly pruneRows: CallTypes<{ readonly maxBytes: number }, void>;
  /** A number that changes when another window has written. */
  readonly version: CallTypes<NoParams, number>;
}

export interface ToHistoryThread {
  readonly id: number;
  readonly call: CallOf<HistoryThreadCalls>;
}

export type FromHistoryThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: CallAnswer<HistoryThreadCalls> }
  | { readonly kind: 'failure'; readonly id: number; readonly code: string | undefined; readonly message: string }
  /** The database was damaged. It has this path now, and a new one has begun. */
  | { readonly kind: 'damaged'; readonly file: string };
