import type { TextRange } from '../../sql/text/textRange.ts';
import { commentsAbove } from '../../sql/directives/commentsAbove.ts';
import { splitStatements } from '../../sql/text/splitter.ts';
import { statementAt } from '../../sql/text/statementAt.ts';
import { isEmbeddingLanguage } from '../../sql/embedded/embeddingLanguages.ts';
import type { StatementList } from '../../sql/text/statementIndex.ts';
import type { SqlEditor } from './sqlEditor.ts';

/** A statement of a document, or the part of one that the user selected. */
export interface SelectedStatement extends TextRange {
  readonly sql: string;
  /** The JSON of the line `-- @params` above the statement. */
  readonly paramsJson: string | undefined;
  /** The name that the comment above the statement gives it. */
  readonly heading?: string | undefined;
  /** The text of the line `-- @chart` above the statement. */
  readonly chartLine?: string | undefined;
}

/**
 * The statements to run from an editor, in document order. Selected text counts as it is: part of a statement runs as that part.
 * Beside selected text, cursors without a selection are ignored. Without any selected text, each cursor selects its statement.
 * In a program each cursor selects the statement that it is in: the selected text may have code of the program.
 */
export function selectedStatements(editor: SqlEditor, statements: StatementList): SelectedStatement[] {
  const ranges = isProgram(editor) ? [] : editor.selections.filter(({ isEmpty }) => !isEmpty);
  const selected = ranges.length > 0 ? rangesIn(editor, ranges, statements) : statementsAtCursors(editor, statements);
  return selected.map(range => selectRange(statements, range));
}

/** The statement for a command that takes only one: the first of the primary selection, or the one at the primary cursor. */
export function primaryStatement(editor: SqlEditor, statements: StatementList): SelectedStatement | undefined {
  const { document, selections } = editor;
  return selectedStatements({ document, selections: selections.slice(0, 1) }, statements)[0];
}

/** The statement at each cursor, in document order and each once. */
export function statementsAtCursors(editor: SqlEditor, statements: StatementList): TextRange[] {
  const { document, selections } = editor;
  const statementsByStart = new Map<number, TextRange>();
  for (const { active } of selections) {
    const offset = document.offsetAt(active);
    const statement = statementAt(statements, offset);
    const isNear = statement && (!isProgram(editor) || (statement.start <= offset && offset <= statement.end));
    if (isNear) statementsByStart.set(statement.start, statement);
  }
  return inDocumentOrder([...statementsByStart.values()]);
}

const isProgram = ({ document }: SqlEditor): boolean => isEmbeddingLanguage(document.languageId);

export function allStatements(statements: StatementList): SelectedStatement[] {
  return statements.statements().map(statement => selectRange(statements, statement));
}

/** The statement with this text that is nearest to an offset. */
export function nearestStatement(
  statements: StatementList,
  { start, sql }: Pick<SelectedStatement, 'start' | 'sql'>,
): SelectedStatement | undefined {
  const candidates = statements
    .statements()
    .filter(statement => statement.end - statement.start === sql.length)
    .toSorted((one, other) => Math.abs(one.start - start) - Math.abs(other.start - start));
  const nearest = candidates.find(statement => statements.slice(statement.start, statement.end) === sql);
  return nearest && selectRange(statements, nearest);
}

/** The current range of a statement: edits may have moved it since it was selected. */
export function currentRange(statements: StatementList, selected: SelectedStatement): TextRange | undefined {
  const isUnmoved = statements.slice(selected.start, selected.end) === selected.sql;
  return isUnmoved ? selected : nearestStatement(statements, selected);
}

function rangesIn(
  { document }: SqlEditor,
  selections: SqlEditor['selections'],
  { statementEnd }: StatementList,
): TextRange[] {
  const ranges = selections.flatMap(selection => {
    const offset = document.offsetAt(selection.start);
    const statements = splitStatements(document.getText(selection), statementEnd);
    return statements.map(({ start, end }) => ({ start: offset + start, end: offset + end }));
  });
  return inDocumentOrder(ranges);
}

const inDocumentOrder = (ranges: readonly TextRange[]): TextRange[] =>
  ranges.toSorted((one, other) => one.start - other.start);

function selectRange(statements: StatementList, { start, end }: TextRange): SelectedStatement {
  // A selected part may lie within a statement, so look only as far up as the end of the statement above.
  const previous = statements.at(statements.firstEndingAfter(start) - 1);
  const textAbove = statements.slice(previous?.end ?? 0, start);
  return {
    start,
    end,
    sql: statements.slice(start, end),
    ...commentsAbove(textAbove, !previous?.terminated),
  };
}
