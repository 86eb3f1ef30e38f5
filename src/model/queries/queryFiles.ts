import { cutText, oneLine } from '../../base/oneLine.ts';
import { projectLineOf } from '../../sql/directives/projectLine.ts';

/** SQL for Save Query. The name of its file is proposed from the title, or else from the table of the statement. */
export interface UnsavedQuery {
  readonly sql: string;
  readonly title?: string | undefined;
  /** The project of the line `-- @project`. */
  readonly project?: { readonly id: string; readonly name: string } | undefined;
}

export const isQueryFile = (path: string): boolean => /\.sql$/i.test(path);

/** The paths of what a folder shows directly, folders first. A path that ends with a slash is a folder. */
export function entriesIn(paths: readonly string[], folder: string): string[] {
  const inside = paths.filter(path => path.startsWith(folder));
  const entries = new Set(inside.map(path => path.slice(0, path.indexOf('/', folder.length) + 1 || Infinity)));
  const sorted = [...entries].toSorted((one, other) => one.localeCompare(other, undefined, { numeric: true }));
  return [...sorted.filter(path => path.endsWith('/')), ...sorted.filter(path => !path.endsWith('/'))];
}

const maxNameBytes = 200;
const forbiddenCharacters = /[\\:*?"<>|\p{Cc}]/u;
/** Windows takes no such names, whatever follows the dot. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether a path can name a file on every system, within the folder that it begins in. */
export const isPathAllowed = (path: string): boolean =>
  path.split('/').every(name => {
    const isShort = name !== '' && Buffer.byteLength(name) <= maxNameBytes;
    return isShort && !forbiddenCharacters.test(name) && !/[. ]$|^ /.test(name) && !deviceName.test(name);
  });

const maxProposalLength = 60;

/** The name of a file for a query with this title. */
export function fileNameFor(title: string): string {
  const words = oneLine(title)
    .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ');
  const name = cutText(words.trim(), maxProposalLength).replaceAll(/^[. ]+|[. …]+$/g, '');
  return isPathAllowed(name) ? `${name}.sql` : 'query.sql';
}

/** The text of a file. A name with a line break is no project line: the rest of it would be SQL. */
export function queryText(sql: string, projectName: string | undefined): string {
  const text = sql.trim() === '' ? '' : `${sql.trimEnd()}\n`;
  if (projectName === undefined || /[\r\n]/.test(projectName) || projectLineOf(text)) return text;
  return `-- @project ${projectName}\n\n${text}`;
}
