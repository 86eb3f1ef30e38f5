import {
  arrayOf,
  asCount,
  asNonBlankString,
  asRecord,
  asString,
  type Decoder,
  type Infer,
  lenient,
  object,
  optional,
  type UnknownRecord,
  withDefault,
} from '../base/decode.ts';
import { type ProjectError, protocolError } from '../base/errors.ts';
import { asKeyScope } from './keyScope.ts';
import type { Column, Row } from './values.ts';

// Answers of the service. Services may leave fields out or add others, so only what a caller needs is required.

/** Throws for an undefined value: the answer has no usable field of this name. */
export function requireField<T>(decoded: T | undefined, field: string): T {
  if (decoded !== undefined) return decoded;
  throw unusableField(field);
}

const unusableField = (field: string): ProjectError =>
  protocolError('unexpected_answer', `The service's answer has no usable "${field}".`);

/**
 * Throws if an answer to a statement has none of the fields of such an answer: another program sent it. Rows that are neither
 * a list nor null are an error too. They must not look like a success without rows.
 */
export function requireSqlAnswer(answer: UnknownRecord): void {
  const { rows } = answer;
  const isOfSqlService = Object.hasOwn(answer, 'ok') || Object.hasOwn(answer, 'row_count');
  if (Array.isArray(rows) || rows === null || (isOfSqlService && rows === undefined)) return;
  if (isOfSqlService) throw unusableField('rows');
  throw protocolError(
    'not_an_sql_answer',
    'This is not the answer of an SQL service: it has neither "ok" nor "row_count" nor a list of "rows". Check the address.',
  );
}

/** The name of a field in an answer: `project_id` for `projectId`. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

export const asTextOrEmpty = withDefault(asString, '');

export const decodeColumns: Decoder<readonly Column[]> = arrayOf(object({ name: asString, type: asTextOrEmpty }));

/** Decodes an answer. Throws if it does not fit; the error names the field that makes it usable. */
export const answerWith =
  <T>(field: string, decode: Decoder<T>) =>
  (answer: unknown): T =>
    requireField(decode(answer), field);

/** Decodes one field of an answer. Throws if it is missing or does not fit. */
export const fieldOfAnswer = <T>(field: string, decode: Decoder<T>) =>
  answerWith(field, answer => decode(asRecord(answer)?.[field]));

const decodeProjectRecord = object(
  { projectId: asNonBlankString, holderId: asTextOrEmpty, projectName: asTextOrEmpty },
  snakeCase,
);
export type ProjectRecord = Infer<typeof decodeProjectRecord>;

export const decodeProject = answerWith('project_id', decodeProjectRecord);

export const decodeProjects = fieldOfAnswer('projects', arrayOf(decodeProjectRecord));

export const decodeTables = fieldOfAnswer('tables', arrayOf(asString));

const decodeKeyAnswer = object({
  apiKey: asNonBlankString,
  url: asTextOrEmpty,
  /** Revokes the key. Set if the service gives it. */
  keyId: lenient(optional(asNonBlankString)),
  /** Set if the service knows scopes. */
  scope: lenient(optional(asKeyScope)),
});
export type IssuedKey = Infer<typeof decodeKeyAnswer>;

export const decodeIssuedKey = answerWith('apiKey', decodeKeyAnswer);

const decodePage = object({
  rows: arrayOf(asRecord as Decoder<Row>),
  /** Set if the service names them. */
  columns: lenient(optional(decodeColumns)),
  limit: lenient(optional(asCount)),
  offset: withDefault(asCount, 0),
  table: asTextOrEmpty,
});

export type BrowsePage = Readonly<ReturnType<typeof decodeBrowsePage>>;

export function decodeBrowsePage(answer: unknown) {
  const page = requireField(decodePage(answer), 'rows');
  return { ...page, limit: page.limit ?? page.rows.length };
}
