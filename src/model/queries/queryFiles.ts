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

/** The text of a file. A name with a line break is no project line: the rest of it would be SQL. */
export function queryText(sql: string, projectName: string | undefined): string {
  const text = sql.trim() === '' ? '' : `${sql.trimEnd()}\n`;
  if (projectName === undefined || /[\r\n]/.test(projectName) || projectLineOf(text)) return text;
  return `-- @project ${projectName}\n\n${text}`;
}
