import type { Stmt } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import type { ShadowReport } from '../shadow/shadowReport.ts';
import { editedText } from '../text/statementIndex.ts';
import type { Fix } from './fix.ts';

/** SQLite's report on a text in the place of the statement. */
type ReportOn = (text: string) => Promise<ShadowReport | undefined>;

/**
 * Whether SQLite accepts the statement after a fix, with the columns that must stay. The tree alone does not show the name of
 * an unnamed column, nor whether a subquery reads the query around it.
 */
export async function keepsResult(
  { keeps, edits, extractedQuery }: Fix,
  { text, tree }: { readonly text: string; readonly tree: Stmt },
  reportOn: ReportOn,
): Promise<boolean> {
  if (!keeps) return true;
  const newText = editedText(text, edits);
  if (!isAccepted(await reportOn(newText))) return false;
  if (extractedQuery !== undefined && !isAccepted(await reportOn(extractedQuery))) return false;
  // A statement that creates a view has no columns itself.
  const query = createdQuery(tree);
  const before = await reportOn(text.slice(query));
  const after = await reportOn(newText.slice(query));
  if (!isAccepted(before) || !isAccepted(after)) return false;
  const namesBefore = before.columns.map(({ name }) => name);
  const namesAfter = after.columns.map(({ name }) => name);
  if (namesBefore.length !== namesAfter.length) return false;
  return keeps === 'count' || namesBefore.every((name, index) => name === namesAfter[index]);
}

const isAccepted = (report: ShadowReport | undefined): report is ShadowReport =>
  report?.outcome === 'prepared' && report.problems.length === 0;

/** The offset of the query of a statement that creates something from one, or 0. */
function createdQuery(tree: Stmt): number {
  if (tree.type === 'CreateViewStmt') return rangeOf(tree.select).start;
  if (tree.type !== 'CreateTableStmt' || tree.body.type !== 'AsSelectCreateTableBody') return 0;
  return rangeOf(tree.body.select).start;
}
