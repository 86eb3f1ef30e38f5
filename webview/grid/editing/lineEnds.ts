/** Restores the line ends of the original text. A field has only `\n`, which would change every line of some texts. */
export function withLineEndsOf(original: string, edited: string): string {
  const ends = original.match(lineEnd) ?? [];
  const usual = mostFrequent(ends) ?? '\n';
  const lines = edited.split('\n');
  if (ends.every(end => end === '\n')) return edited;
  const originalLines = original.split(lineEnd);
  const isSameCount = originalLines.length === lines.length;
  const parts: string[] = [];
  let place = 0;
  for (const [index, line] of lines.entries()) {
    parts.push(line);
    if (index === lines.length - 1) break;
    const originalIndex = isSameCount ? index : originalLines.indexOf(line, place);
    parts.push(ends[originalIndex] ?? usual);
    if (originalIndex !== -1) place = originalIndex + 1;
  }
  return parts.join('');
}

export const withFieldLineEnds = (text: string): string => text.replaceAll(lineEnd, '\n');

const lineEnd = /\r\n|\r|\n/g;

function mostFrequent(ends: readonly string[]): string | undefined {
  const byEnd = [...Map.groupBy(ends, end => end).values()];
  return byEnd.toSorted((one, other) => other.length - one.length)[0]?.[0];
}
