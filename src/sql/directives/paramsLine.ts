import { CoarseScanner } from '../text/tokens.ts';

/** What a line `-- @params [1, "x"]` says, in the comments above a statement. */
export interface ParamsLine {
  /** What stands behind the word: JSON, if it is right. */
  readonly json: string;
  readonly start: number;
  readonly end: number;
}

const line = /^--[ \t]*@params(?![\w-])([^\r\n]*)\r?$/;

/**
 * The last such line between `from`, where a statement may begin, and the statement at `start`. Code between the two
 * takes it away: the line is for the statement right below it.
 */
export function paramsLineOf(text: string, from: number, start: number): ParamsLine | undefined {
  const scanner = new CoarseScanner(text.slice(from, start));
  let found: ParamsLine | undefined;
  while (scanner.next()) {
    if (scanner.kind === 'space') continue;
    if (scanner.kind !== 'comment') found = undefined;
    const end = from + scanner.end;
    const json = line.exec(text.slice(from + scanner.start, end))?.[1];
    if (json !== undefined) found = { json: json.trim(), start: from + scanner.start, end };
  }
  return found;
}
