import { paramsLineOf } from '../../sql/directives/paramsLine.ts';
import { statementAt } from '../../sql/text/statementAt.ts';
import { splitStatements } from '../../sql/text/splitter.ts';
import type { StatementList } from '../../sql/text/statementIndex.ts';
import type { LensTarget } from './runLenses.ts';
import type { SqlEditor } from './sqlEditor.ts';
import type { Place } from '../../model/statementMarks.ts';

/** A statement of a document, or the part of one that was selected. */
export interface SelectedStatement extends Place {
  readonly sql: string;
  /** The JSON of a line `-- @params` above it. */
  readonly paramsJson: string | undefined;
}

export function statementAtCursor(editor: SqlEditor, statements: StatementList): SelectedStatement[] {
  const { document, selection } = editor;
  const found = statementAt(statements, document.offsetAt(selection.active));
  return found ? [selected(statements, found)] : [];
}

/** The statements in the selected text; what is selected of one is all of it. */
export function statementsInSelection(editor: SqlEditor, statements: StatementList): SelectedStatement[] {
  const { document, selection } = editor;
  const from = document.offsetAt(selection.start);
  return splitStatements(document.getText(selection)).map(({ start, end }) =>
    selected(statements, { start: from + start, end: from + end }),
  );
}

export function allStatements(statements: StatementList): SelectedStatement[] {
  return statements.statements().map(statement => selected(statements, statement));
}

/** The statement that reads so: the one at the place where it stood, else the nearest. */
export function statementLike(statements: StatementList, { start, sql }: Pick<LensTarget, 'start' | 'sql'>) {
  const same = statements
    .statements()
    .filter(statement => statement.end - statement.start === sql.length)
    .toSorted((one, other) => Math.abs(one.start - start) - Math.abs(other.start - start));
  const found = same.find(statement => statements.slice(statement.start, statement.end) === sql);
  return found && selected(statements, found);
}

/** Where a statement stands by now: the text may have been edited since it was chosen. */
export function placeNow(statements: StatementList, chosen: SelectedStatement): Place | undefined {
  const stays = statements.slice(chosen.start, chosen.end) === chosen.sql;
  return stays ? chosen : statementLike(statements, chosen);
}

function selected(statements: StatementList, { start, end }: Place): SelectedStatement {
  // What ends at or before the start is the statement above; a part that was selected may lie within another.
  const above = statements.at(statements.firstBehind(start) - 1)?.end ?? 0;
  const line = paramsLineOf(statements.slice(above, start), 0, start - above);
  return { start, end, sql: statements.slice(start, end), paramsJson: line?.json };
}
