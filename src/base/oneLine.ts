/** A text for a label: on one line, and cut to `maxLength` characters, the last of which is then an ellipsis. */
export function oneLine(text: string, maxLength = Infinity): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return cutText(line, maxLength);
}

/** At most `maxLength` UTF-16 units of a text, with an ellipsis where something is missing. No character is cut in half. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
