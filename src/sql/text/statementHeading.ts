import { beginningOf } from '../../base/oneLine.ts';
import { CoarseScanner } from './tokens.ts';

/**
 * The name that the comment directly above a statement gives it: the first sentence of its first line. `textAbove` is the text
 * between the previous statement and this one. A comment beside the previous statement does not count, nor does a directive, a
 * commented-out statement, or a comment above an empty line.
 */
export function statementHeading(textAbove: string, startsLine: boolean): string | undefined {
  const scanner = new CoarseScanner(textAbove);
  let heading: string | undefined;
  let isOnOwnLine = startsLine;
  while (scanner.next()) {
    const text = textAbove.slice(scanner.start, scanner.end);
    if (scanner.kind === 'space') {
      const lineBreaks = text.split('\n').length - 1;
      isOnOwnLine ||= lineBreaks > 0;
      if (lineBreaks > 1) heading = undefined;
    } else if (scanner.kind !== 'comment') heading = undefined;
    else if (isOnOwnLine) heading ??= firstSentenceOf(beginningOf(text, maxCommentLength));
  }
  return heading;
}

const maxCommentLength = 400;

function firstSentenceOf(comment: string): string | undefined {
  const lines = comment.split('\n').map(line => line.replaceAll(/^[\s/*-]+|[\s/*-]+$/g, ''));
  const line = lines.find(text => text !== '');
  if (line === undefined || /^@|;$/.test(line)) return undefined;
  // Without its number in a list, as in `1. The best customers.`
  return line.replace(/^\d+[.)]\s+/, '').replace(/\.(?:\s.*)?$/, '');
}
