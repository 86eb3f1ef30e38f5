import {
  arrayOf,
  asBoolean,
  asCount,
  asString,
  type Infer,
  map,
  object,
  oneOf,
  optional,
  parseJson,
  refine,
  variant,
} from '../../base/decode.ts';
import { decodeEditValue } from '../../protocol/editValues.ts';
import { decodeWriteKey } from '../results/writeKey.ts';
import type { NamedValue } from './pendingEdits.ts';

/** The edits of a table as a file stores them, with the statements of a save that has not ended. */

const decodeStored = map(decodeEditValue, value => (value.kind === 'default' ? undefined : value));
const named = object({ column: asString, value: decodeStored });
const cell = object({ column: asString, base: decodeStored, value: decodeEditValue });
const longValue = object({ column: asString, bytes: asCount, start: decodeStored });
const tableRow = {
  id: asString,
  key: arrayOf(decodeStored),
  known: arrayOf(named),
  cells: arrayOf(cell),
  /** An earlier version left temporary keys in the table, which this version cannot put back. */
  moved: optional(() => undefined),
  long: optional(arrayOf(longValue)),
};

/** The keys of a draft never change: the window that reads it may have another version. */
const fromDraft = <R extends { readonly known: readonly NamedValue[] }>({
  known,
  ...row
}: R): Omit<R, 'known'> & { readonly seenValues: readonly NamedValue[] } => ({ ...row, seenValues: known });

const decodeRow = variant('kind', {
  update: map(object(tableRow), fromDraft),
  delete: map(object(tableRow), fromDraft),
  insert: object({
    id: asString,
    values: arrayOf(object({ column: asString, value: decodeEditValue })),
  }),
});

const decodeStep = object({
  kind: oneOf(['delete', 'update', 'insert']),
  rowIds: arrayOf(asString),
  sql: asString,
  json: asString,
  returnsRows: asBoolean,
});

const decodeKeyedStep = object({
  step: decodeStep,
  key: decodeWriteKey,
  state: oneOf(['waiting', 'sent', 'done']),
});

const decodeDraft = object({
  version: refine(asCount, version => version === 1),
  profileId: asString,
  table: asString,
  rows: arrayOf(decodeRow),
  key: optional(arrayOf(asString)),
  save: optional(arrayOf(decodeKeyedStep)),
  texts: optional(arrayOf(object({ rowId: asString, column: asString, text: asString }))),
});
export type Draft = Infer<typeof decodeDraft>;

/** The draft in the text of a file. Undefined if the text is not a draft. */
export const readDraft = (text: string): Draft | undefined => decodeDraft(parseJson(text));

export function draftText({ rows, ...draft }: Draft): string {
  return JSON.stringify({
    ...draft,
    rows: rows.map(row => {
      if (row.kind === 'insert') return row;
      const { seenValues, ...others } = row;
      return { ...others, known: seenValues };
    }),
  });
}
