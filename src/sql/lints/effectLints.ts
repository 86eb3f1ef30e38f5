import type { Stmt } from 'sqlite3-parser';
import { dangersOf } from '../effect/dangers.ts';
import { type SessionPart, sessionPartOf } from '../effect/statementEffect.ts';
import { rangeOf } from '../parser/nodeRange.ts';
import { type LintContext, shownName } from './lintContext.ts';

/** Reports a statement that changes every row, or that needs a connection of its own. */
export function lintEffect(statement: Stmt, context: LintContext): void {
  if (statement.type === 'UpdateStmt' || statement.type === 'DeleteStmt') lintEveryRow(statement, context);
  const part = sessionPartOf(statement);
  if (part === undefined) return;
  const temporary = part === 'temporary' ? context.keywordAtStart(/^temp(?:orary)?$/i) : undefined;
  const range = temporary ?? context.keywordAtStart(/^\w/);
  if (range) context.add('needs_session', range, sessionMessages[part]);
}

const transactionMessage = 'A transaction cannot span several statements. Put the changes into one statement.';

const sessionMessages: Readonly<Record<SessionPart, string>> = {
  transaction: transactionMessage,
  rollback: transactionMessage,
  temporary: 'A temporary object is gone before the next statement. Use WITH instead.',
  attachment: 'A project is one database. Export from one project and import into the other.',
  setting: 'This setting does not reach the next statement. Leave it out.',
};

function lintEveryRow(statement: Extract<Stmt, { type: 'UpdateStmt' | 'DeleteStmt' }>, context: LintContext): void {
  const dangers = dangersOf(statement);
  if (!dangers.includes('updatesEveryRow') && !dangers.includes('deletesEveryRow')) return;
  const isDelete = statement.type === 'DeleteStmt';
  const { tblName, whereClause } = statement;
  const table = shownName(tblName.objName.text);
  if (whereClause) {
    const message = `This condition is true for every row of ${table}. Write one that selects rows.`;
    context.add('missing_where', rangeOf(whereClause), message);
    return;
  }
  const keyword = context.keywordBefore(tblName.span.offset, /^(?:update|delete)$/i);
  const message = `${isDelete ? 'DELETE' : 'UPDATE'} without WHERE ${isDelete ? 'deletes' : 'changes'} every row of ${table}. Add a WHERE clause.`;
  context.add('missing_where', keyword ?? rangeOf(tblName), message);
}
