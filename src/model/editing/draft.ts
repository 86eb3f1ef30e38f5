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
import type { NamedValue, UpdatedRow } from './pendingEdits.ts';

/** The edits of a table as they outlive their window, with the statements of a save that has not ended. */

const decodeStored = map(decodeEditValue, value => (value.kind === 'default' ? undefined : value));
const named = object({ column: asString, value: decodeStored });
const cell = object({ column: asString, base: decodeStored, value: decodeEditValue });
const longValue = object({ column: asString, bytes: asCount, start: decodeStored });
const tableRow = {
  id: asString,
  key: arrayOf(decodeStored),
  known: arrayOf(named),
  cells: arrayOf(cell),
  moved: optional(arrayOf(named)),
  long: optional(arrayOf(longValue)),
};

/** The keys of the values in a draft. They never change: the window that reads a draft may have another version. */
interface DraftValues {
  readonly known: readonly NamedValue[];
  readonly moved?: readonly NamedValue[];
}

type RowValues = Pick<UpdatedRow, 'seenValues' | 'displacedValues'>;

const fromDraft = <R extends DraftValues>({ known, moved, ...row }: R): Omit<R, keyof DraftValues> & RowValues => ({
  ...row,
  seenValues: known,
  ...(moved && { displacedValues: moved }),
});

const toDraft = <R extends RowValues>({
  seenValues,
  displacedValues,
  ...row
}: R): Omit<R, keyof RowValues> & DraftValues => ({
  ...row,
  known: seenValues,
  ...(displacedValues && { moved: displacedValues }),
});

const decodeUpdatedRow = map(object({ kind: oneOf(['update']), ...tableRow }), fromDraft);
const decodeRow = variant('kind', {
  update: map(object(tableRow), fromDraft),
  delete: map(object(tableRow), fromDraft),
  insert: object({
    id: asString,
    values: arrayOf(object({ column: asString, value: decodeEditValue })),
  }),
});

const decodeStep = object({
  kind: oneOf(['delete', 'update', 'insert', 'moveKeys']),
  rowIds: arrayOf(asString),
  checkedIds: optional(arrayOf(asString)),
  sql: asString,
  json: asString,
  returnsRows: asBoolean,
  remaining: arrayOf(decodeUpdatedRow),
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
  /** The columns of the keys of the rows. */
  key: optional(arrayOf(asString)),
  save: optional(arrayOf(decodeKeyedStep)),
  /** Typed texts that are no values. */
  texts: optional(arrayOf(object({ rowId: asString, column: asString, text: asString }))),
});
export type Draft = Infer<typeof decodeDraft>;

/** The draft in the text of a file. Undefined if the text is not a draft. */
export function readDraft(text: string): Draft | undefined {
  try {
    return decodeDraft(parseJson(text));
  } catch {
    return undefined;
  }
}

export function draftText({ rows, save, ...draft }: Draft): string {
  return JSON.stringify({
    ...draft,
    rows: rows.map(row => (row.kind === 'insert' ? row : toDraft(row))),
    save: save?.map(keyed => ({ ...keyed, step: { ...keyed.step, remaining: keyed.step.remaining.map(toDraft) } })),
  });
}
