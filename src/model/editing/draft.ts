import {
  arrayOf,
  asBoolean,
  asCount,
  asString,
  type Infer,
  object,
  oneOf,
  optional,
  parseJson,
  refine,
  variant,
} from '../../base/decode.ts';
import { decodeEditValue, decodeStoredValue } from '../../protocol/editValues.ts';
import { decodeWriteKey } from '../results/writeKey.ts';

/**
 * The edits of a table as a file stores them, with the statements of a save that has not ended. The names of fields never
 * change: the window that reads the file may have another version.
 */

const named = object({ column: asString, value: decodeStoredValue });
const cell = object({ column: asString, base: decodeStoredValue, value: decodeEditValue });
const longValue = object({ column: asString, bytes: asCount, start: decodeStoredValue });
const decodeTableRow = object({
  id: asString,
  key: arrayOf(decodeStoredValue),
  seenValues: arrayOf(named),
  cells: arrayOf(cell),
  long: optional(arrayOf(longValue)),
});

const decodeRow = variant('kind', {
  update: decodeTableRow,
  delete: decodeTableRow,
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
