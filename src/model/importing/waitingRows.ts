import { asProjectError, messageOf } from '../../base/errors.ts';
import type { ImportTarget } from './importOptions.ts';
import type { SendStatement } from './importRun.ts';
import type { SavedBatch, WaitingRow } from './journal.ts';
import { orIfRefused } from './refusal.ts';
import type { Place } from './sourceRow.ts';

/**
 * A row may refer to a row of its own table that comes after it. SQLite checks that at the end of a statement, so the row is
 * refused when the other one is in another statement: in a later batch, or in another part of a batch that was halved because
 * of a bad row. Such a row waits until the rows after it are written.
 */

/** The journal contains the waiting rows and is written with each call, so it must stay small. */
const maxWaitingRows = 10_000;
const maxWaitingLength = 2 * 1024 * 1024;

export const isFull = (rows: readonly WaitingRow[]): boolean =>
  rows.length > maxWaitingRows ||
  rows.reduce((length, { json, text }) => length + json.length + text.length, 0) > maxWaitingLength;

export const refersToNothing = (message: string): boolean => /foreign key/i.test(message);

/** Whether a refused row may be accepted once later rows are written. */
export async function mayWait(thrown: unknown, { table, mode }: ImportTarget, send: SendStatement): Promise<boolean> {
  // In the other modes, the last of several rows with a key counts, so a row must not be written after later ones.
  if (mode !== 'insert' && mode !== 'ignore') return false;
  return refersToNothing(messageOf(asProjectError(thrown))) && (await refersToItself(table, send));
}

/** False if the service does not show foreign keys. */
function refersToItself(table: string, send: SendStatement): Promise<boolean> {
  const sql = 'SELECT count(*) AS count FROM pragma_foreign_key_list(?) WHERE lower("table") = lower(?)';
  return orIfRefused(false, async () => {
    const { rows } = await send({ sql, params: [table, table] }, { isReadOnly: true });
    return Number(rows[0]?.['count']) > 0;
  });
}

/** The waiting rows as a batch of their own. The source continues at the same place after it. */
export const batchOfWaiting = (rows: readonly WaitingRow[], { columns }: ImportTarget, end: Place): SavedBatch => ({
  json: rows.map(({ json }) => json),
  lines: rows.map(({ line }) => line),
  texts: rows.map(({ text }) => text),
  blobs: [...columns.keys()],
  end,
});
