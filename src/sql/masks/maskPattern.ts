import { isSameName, keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';

/** Columns by their names and those of their tables. `*` stands for any characters, and case is ignored. */
export interface MaskPattern {
  readonly table: RegExp;
  readonly column: RegExp;
  /** The text of `column` as a key. Only a pattern without `*` names the rowid. */
  readonly columnKey: string;
}

const name = String.raw`\s*("(?:[^"]|"")*"|\`(?:[^\`]|\`\`)*\`|'(?:[^']|'')*'|\[[^\]]*\]|[^."'\`[\]]+)\s*`;
const pattern = new RegExp(`^(?:(?:${name}\\.)?${name}\\.)?${name}$`, 's');

/**
 * Reads `customers.email` or `*.password*`. Names may have SQLite's quotes. A column alone means that of all tables. Undefined
 * when the text is not such a pattern.
 */
export function maskPatternOf(text: string): MaskPattern | undefined {
  const parts = pattern.exec(text)?.slice(1);
  if (!parts) return undefined;
  const [database = 'main', table = '*', column = ''] = parts.map(part => part && unquoted(part.trim()));
  if (!isSameName(database, 'main') || table === '' || column === '') return undefined;
  return { table: matcherOf(table), column: matcherOf(column), columnKey: keyOf(column) };
}

function matcherOf(text: string): RegExp {
  // Some of VS Code's hosts lack RegExp.escape().
  const parts = text.split(/\*+/).map(part => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  // With the flag u, `k` would match U+212A as well, which is another letter to SQLite.
  return new RegExp(`^${parts.join('.*')}$`, 'is');
}
