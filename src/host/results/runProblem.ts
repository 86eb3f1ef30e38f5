import * as vscode from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import type { Result, StatementOrigin } from './result.ts';
import { readableError } from '../../sql/errors/readableError.ts';
import { errorMessage } from '../errorMessages.ts';

interface RunProblem {
  /** Begins with the line and column of the error, if it has a place in the statement. */
  readonly message: string;
  readonly code: string | undefined;
  /** The part of the statement that the error concerns. Undefined if that is the whole statement. */
  readonly range: TextRange | undefined;
}

/** Undefined for a run that has not failed. */
export function runProblem({ run, subject }: Pick<Result, 'run' | 'subject'>): RunProblem | undefined {
  if (run.state !== 'failed') return undefined;
  const code = asProjectError(run.error)?.code;
  const message = runErrorMessage(run.error, run.hint);
  const { statement, origin } = subject;
  const fault = subject.faultOf?.(run.error, message);
  if (!fault || fault.end - fault.start === statement.length) return { message, code, range: undefined };
  const range: TextRange = { start: fault.start, end: fault.end };
  return { message: withPlace(message, statement, range.start, origin), code, range };
}

/** Counts lines in the document, or in the statement if the document no longer holds it. */
function withPlace(message: string, statement: string, offset: number, origin: StatementOrigin | undefined): string {
  const document = origin?.isUnchanged
    ? vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === origin.uri)
    : undefined;
  const inDocument = document && origin && document.positionAt(origin.start + offset);
  if (inDocument) {
    return vscode.l10n.t('Line {0}, column {1}: {2}', inDocument.line + 1, inDocument.character + 1, message);
  }
  const before = statement.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (before.at(-1)?.length ?? 0) + 1;
  return before.length === 1 && !/[\r\n]/.test(statement)
    ? vscode.l10n.t('Column {0}: {1}', column, message)
    : vscode.l10n.t('Line {0} of the statement, column {1}: {2}', before.length, column, message);
}

/** `hint` is a sentence that suggests a fix. */
export function runErrorMessage(error: unknown, hint?: string): string {
  const message = readableError(errorMessage(error));
  return hint === undefined ? message : `${message}. ${hint}`;
}
