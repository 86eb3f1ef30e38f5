import { CoarseScanner } from '../text/tokens.ts';

const directive = /^--[ \t]*@params(?![\w-])([^\r\n]*)\r?$/;

/**
 * The text after `-- @params` above a statement, which may be invalid JSON. `textAbove` is the text between the previous
 * statement and this one. The last directive counts, unless other code is between it and the statement.
 */
export function paramsJsonIn(textAbove: string): string | undefined {
  const scanner = new CoarseScanner(textAbove);
  let json: string | undefined;
  while (scanner.next()) {
    if (scanner.kind === 'space') continue;
    if (scanner.kind !== 'comment') json = undefined;
    json = directive.exec(textAbove.slice(scanner.start, scanner.end))?.[1]?.trim() ?? json;
  }
  return json;
}
