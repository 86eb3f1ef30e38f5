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
} from '../../base/decode.ts';
import { decodeWriteKey } from '../results/writeKey.ts';
import { decodePendingRow } from './pendingEdits.ts';

/**
 * The edits of a table as a file stores them, with the statements of a save that has not ended. The names of fields never
 * change: the window that reads the file may have another version.
 */

const decodeStep = object({
  kind: oneOf(['delete', 'update', 'insert']),
  rowIds: arrayOf(asString),
  sql: asString,
  /** The value of the statement's only `?`. */
  json: asString,
  /** Whether the answer has a row for each change, and not just their number. */
  returnsRows: asBoolean,
});
/** One statement of a save. It changes all of its rows or none. */
export type SaveStep = Infer<typeof decodeStep>;
export type SaveKind = SaveStep['kind'];

const decodeKeyedStep = object({
  step: decodeStep,
  key: decodeWriteKey,
  /** `sent` from before its first call until its outcome is known. */
  state: oneOf(['waiting', 'sent', 'done']),
});
export type KeyedStep = Infer<typeof decodeKeyedStep>;

const decodeDraft = object({
  version: refine(asCount, version => version === 1),
  profileId: asString,
  table: asString,
  rows: arrayOf(decodePendingRow),
  key: optional(arrayOf(asString)),
  save: optional(arrayOf(decodeKeyedStep)),
  texts: optional(arrayOf(object({ rowId: asString, column: asString, text: asString }))),
});
export type Draft = Infer<typeof decodeDraft>;

/** The draft in the text of a file. Undefined if the text is not a draft. */
export const readDraft = (text: string): Draft | undefined => decodeDraft(parseJson(text));
