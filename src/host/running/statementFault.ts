import { asProjectError } from '../../base/errors.ts';
import { asCount, asRecord } from '../../base/shape.ts';
import { findSyntaxFault } from '../../sql/parser/parser.ts';
import { errorPlace } from '../../sql/shadow/errorPlace.ts';
import { toldOffset } from '../../sql/running/toldOffset.ts';
import { serviceCodes } from '../../wire/serviceError.ts';
import { errorMessage } from '../errorMessages.ts';
import type { StatementFault } from '../documents/runMarks.ts';

/** What a service says of the caller, of its own state or of the whole project, and not of the statement. */
const notOfTheStatement: ReadonlySet<string> = new Set([
  serviceCodes.unauthenticated,
  serviceCodes.forbidden,
  serviceCodes.notFound,
  serviceCodes.projectNotFound,
  serviceCodes.rateLimited,
  serviceCodes.idempotencyConflict,
]);

/** What a service finds wrong with a statement, and where in it; undefined for what has another cause. */
export function faultOfStatement(sql: string, thrown: unknown): StatementFault | undefined {
  const error = asProjectError(thrown);
  const status = asCount(asRecord(error)?.['status']) ?? 0;
  if (error?.kind !== 'service' || notOfTheStatement.has(error.code)) return undefined;
  if (status >= 500 && error.code !== serviceCodes.statementTimeout) return undefined;
  const offset = offsetOf(sql, error);
  const place = errorPlace(sql, error.message, offset);
  // The first word is what it falls back to where nothing is named. Then it is about the whole statement.
  const { start, end } = offset < 0 && place.start === 0 ? { start: 0, end: sql.length } : place;
  return { message: errorMessage(thrown), code: error.code, start, end };
}

/** Where the service says, else where our own grammar finds a fault that the service calls one of grammar. */
function offsetOf(sql: string, error: { readonly message: string; readonly details?: unknown }): number {
  const told = asCount(asRecord(error.details)?.['offset']);
  if (told !== undefined) return toldOffset(sql, error.message, told);
  return /^(?:near|unrecognized token:|incomplete input)/.test(error.message)
    ? (findSyntaxFault(sql)?.offset ?? -1)
    : -1;
}
