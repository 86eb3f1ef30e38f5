import { asCount, asRecord } from '../../base/decode.ts';
import { asProjectError, type ProjectError } from '../../base/errors.ts';
import { errorOffset, errorRange } from '../../sql/errors/errorRange.ts';
import { positionalText } from '../../sql/parameters/positionalText.ts';
import { findSyntaxFault } from '../../sql/parser/parser.ts';
import { asServiceError, serviceCodes } from '../../wire/serviceError.ts';
import type { StatementFault } from '../results/result.ts';

/** Errors about the caller, the project or the service. No change of the statement helps. */
const codesOfOtherCauses: ReadonlySet<string> = new Set([
  serviceCodes.unauthenticated,
  serviceCodes.forbidden,
  serviceCodes.notFound,
  serviceCodes.projectNotFound,
  serviceCodes.rateLimited,
  serviceCodes.idempotencyConflict,
]);

/** Undefined for errors that have another cause than the statement. */
export function statementFault(sql: string, thrown: unknown, message: string): StatementFault | undefined {
  const error = asProjectError(thrown);
  if (!error || !isAboutStatement(error)) return undefined;
  const sent = positionalText(sql);
  const offset = faultOffset(sent.text, error);
  const range = errorRange(sent.text, error.message, offset);
  // `errorRange` falls back to the first word. Without an offset that means the whole statement.
  const isWholeStatement = offset < 0 && range.start === 0;
  return {
    message,
    code: error.code,
    start: isWholeStatement ? 0 : sent.offsetOf(range.start),
    end: isWholeStatement ? sql.length : sent.offsetOf(range.end),
  };
}

function isAboutStatement(error: ProjectError): boolean {
  if (error.kind !== 'service' || codesOfOtherCauses.has(error.code)) return false;
  return (asServiceError(error)?.status ?? 0) < 500 || error.code === serviceCodes.statementTimeout;
}

/** The offset that the service reports, or else the one that our own parser finds for a syntax error. -1 without either. */
function faultOffset(sql: string, error: { readonly message: string; readonly details?: unknown }): number {
  const reportedOffset = asCount(asRecord(error.details)?.['offset']);
  if (reportedOffset !== undefined) return errorOffset(sql, error.message, reportedOffset);
  const isSyntaxError = /^(?:near|unrecognized token:|incomplete input)/.test(error.message);
  return isSyntaxError ? (findSyntaxFault(sql)?.offset ?? -1) : -1;
}
