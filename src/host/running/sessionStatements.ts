import type { AnalyzedStatement } from './boundStatement.ts';
import type { RunPrompts, SessionStatement } from './runPrompts.ts';

type SessionPrompts = Pick<RunPrompts, 'showSessionStatement' | 'confirmWithoutTransaction'>;

/**
 * Keeps back statements that change a connection, since the service runs each statement on a connection of its own. A script may
 * run without its transaction if the user agrees and nothing is rolled back. Resolves to the statements to run.
 */
export async function withoutSessionStatements<T extends AnalyzedStatement>(
  prompts: SessionPrompts,
  statements: readonly T[],
): Promise<readonly T[] | undefined> {
  const [first] = statements.flatMap(({ sql, effect: { session } }): SessionStatement[] =>
    session === undefined ? [] : [{ sql, part: session }],
  );
  if (!first) return statements;
  const others = statements.filter(({ effect }) => effect.session === undefined);
  const hasOnlyTransactions = statements.every(
    ({ effect: { session } }) => session === undefined || session === 'transaction',
  );
  if (others.length === 0 || !hasOnlyTransactions) {
    prompts.showSessionStatement(first);
    return undefined;
  }
  return (await prompts.confirmWithoutTransaction(first, others.length)) ? others : undefined;
}
