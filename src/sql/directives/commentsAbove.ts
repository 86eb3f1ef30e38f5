import { beginningOf } from '../../base/oneLine.ts';
import { CoarseScanner } from '../text/tokens.ts';

interface CommentsAbove {
  /** The text after the last `-- @params`, which may be invalid JSON. */
  readonly paramsJson: string | undefined;
  /** The text after the last `-- @chart`. */
  readonly chartLine: string | undefined;
  /**
   * The name that the comment directly above gives the statement: the first sentence of its first line. A comment beside the
   * previous statement does not count, nor does a directive, a commented-out statement, or a comment above an empty line.
   */
  readonly heading: string | undefined;
}

const paramsDirective = /^--[ \t]*@params(?![\w-])([^\r\n]*)\r?$/;
const chartDirective = /^--[ \t]*@chart(?![\w-])([^\r\n]*)\r?$/;

/**
 * Reads the text between the previous statement and a statement. Comments count unless other code is between them and the
 * statement. `startsLine` says whether the text begins on a line of its own.
 */
export function commentsAbove(textAbove: string, startsLine: boolean): CommentsAbove {
  const scanner = new CoarseScanner(textAbove);
  let paramsJson: string | undefined;
  let chartLine: string | undefined;
  let heading: string | undefined;
  let isOnOwnLine = startsLine;
  while (scanner.next()) {
    const text = textAbove.slice(scanner.start, scanner.end);
    if (scanner.kind === 'space') {
      const lineBreaks = text.split('\n').length - 1;
      isOnOwnLine ||= lineBreaks > 0;
      if (lineBreaks > 1) heading = undefined;
    } else if (scanner.kind === 'comment') {
      paramsJson = paramsDirective.exec(text)?.[1]?.trim() ?? paramsJson;
      chartLine = chartDirective.exec(text)?.[1]?.trim() ?? chartLine;
      if (isOnOwnLine) heading ??= firstSentenceOf(beginningOf(text, maxCommentLength));
    } else {
      paramsJson = undefined;
      chartLine = undefined;
      heading = undefined;
    }
  }
  return { paramsJson, chartLine, heading };
}

const maxCommentLength = 400;

function firstSentenceOf(comment: string): string | undefined {
  const lines = comment.split('\n').map(line => line.replaceAll(/^[\s/*-]+|[\s/*-]+$/g, ''));
  const line = lines.find(text => text !== '');
  if (line === undefined || /^@|;$/.test(line)) return undefined;
  // Without its number in a list, as in `1. The best customers.`
  return line.replace(/^\d+[.)]\s+/, '').replace(/\.(?:\s.*)?$/, '');
}
