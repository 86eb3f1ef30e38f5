/** Puts a text on one line, and cuts it to `maxLength` characters. The last character of a cut text is an ellipsis. */
export function oneLine(text: string, maxLength = Infinity): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return cutText(line, maxLength);
}

/** At most `maxLength` UTF-16 units of a text, with an ellipsis if it is cut. No character is cut in half. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${beginningOf(text, maxLength - 1)}…`;
}

/** At most `maxLength` UTF-16 units from the beginning of a text. No character is cut in half. */
export function beginningOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
}

/** The first texts of a list on one line, with an ellipsis if there are more than `maxCount`. */
export function shortList(texts: readonly string[], maxCount: number, separator = ', '): string {
  const shown = texts.slice(0, maxCount);
  if (texts.length > maxCount) shown.push('…');
  return shown.join(separator);
}
