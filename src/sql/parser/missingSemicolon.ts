const statementKeywords = new Set(
  'SELECT INSERT UPDATE DELETE WITH CREATE DROP ALTER PRAGMA REPLACE VALUES'.split(' '),
);

/** Indentation beyond this length is not read, because the check must not depend on the length of the text. */
const maxIndentation = 80;

/** Whether a word that the grammar does not take at `offset` most likely begins a new statement, by its line and its keyword. */
export function followsMissingSemicolon(text: string, word: string, offset: number): boolean {
  if (!statementKeywords.has(word.toUpperCase())) return false;
  return /\n[ \t]*$/.test(text.slice(Math.max(0, offset - maxIndentation), offset));
}

/** The hint for a word that {@link followsMissingSemicolon}. */
export function missingSemicolonHint(text: string, offset: number): string {
  const hint = 'Is a semicolon missing before it?';
  const followsBlankLine = /\n[ \t]*\r?\n[ \t]*$/.test(text.slice(Math.max(0, offset - maxIndentation), offset));
  return followsBlankLine
    ? `${hint} With the setting sqlProjects.run.statementEnd, a blank line ends a statement, too.`
    : hint;
}
