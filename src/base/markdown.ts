/*
 * Markdown for texts that anybody may have written. A name must not become a link, an image or HTML. Backslashes do not
 * work in code, so code has marks that are longer than any in its text.
 */

/** Escapes a text, so that Markdown shows it unchanged on one line. */
export const markdownText = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const mark = longerMark(line, 1);
  // A space at both ends is not part of the code. It separates the marks from backticks of the text.
  const space = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return line === '' ? '' : `${mark}${space}${line}${space}${mark}`;
}

/** The language of package.json whose grammar has SQLite's colors. VS Code's own grammar of SQL is for another database. */
const blockLanguage = 'sql-projects-sqlite';

export function sqlBlock(text: string): string {
  const mark = longerMark(text, 3);
  return `${mark}${blockLanguage}\n${text}\n${mark}`;
}

function longerMark(text: string, minLength: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(minLength, longest + 1));
}
