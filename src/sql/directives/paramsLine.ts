import { CoarseScanner } from '../text/tokens.ts';

/** The directive `-- @params [1, "x"]` above a statement. */
export interface ParamsLine {
  /** The text after `@params`, which may be invalid JSON. */
  readonly json: string;
  readonly start: number;
  readonly end: number;
}

const directive = /^--[ \t]*@params(?![\w-])([^\r\n]*)\r?$/;

/**
 * The last directive between the end of the previous statement and the start of a statement. A directive with other code
 * between it and the statement does not count.
 */
export function paramsLineOf(text: string, previousEnd: number, statementStart: number): ParamsLine | undefined {
  const scanner = new CoarseScanner(text.slice(previousEnd, statementStart));
  let line: ParamsLine | undefined;
  while (scanner.next()) {
    if (scanner.kind === 'space') continue;
    if (scanner.kind !== 'comment') line = undefined;
    const start = previousEnd + scanner.start;
    const end = previousEnd + scanner.end;
    const json = directive.exec(text.slice(start, end))?.[1];
    if (json !== undefined) line = { json: json.trim(), start, end };
  }
  return line;
}
