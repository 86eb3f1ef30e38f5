import type { Profile } from '../../model/profiles.ts';
import { protectionAction } from '../../model/protection.ts';
import { type AnalyzedStatement, type BoundStatement, maxListed } from './boundStatement.ts';
import type { RiskyStatement, RunPrompts, RunQuestion } from './runPrompts.ts';
import { type CountRows, countTouchedRows } from '../../model/touchedRows.ts';

/** Count the rows of this many statements at most: a long script that drops many tables would take long before its question. */
const maxCounted = 64;

/** If the project's protection refuses one statement, none is run. Returns true when it refused. */
export function refuseByProtection(
  prompts: Pick<RunPrompts, 'showRefusal'>,
  profile: Profile,
  statements: readonly AnalyzedStatement[],
): boolean {
  const refused = statements.filter(({ effect }) => protectionAction(profile.protection, effect) === 'refuse');
  if (refused.length === 0) return false;
  prompts.showRefusal({ profile, refusedStatements: refused, totalCount: statements.length });
  return true;
}

/** Asks once for statements that the protection confirms, and for dangerous ones in every project. True if there are none. */
export async function confirmRisks<T extends BoundStatement>(
  prompts: { confirmRun(question: RunQuestion, first: T): Promise<boolean> },
  profile: Profile,
  statements: readonly T[],
  countRows: CountRows,
): Promise<boolean> {
  const changes = statements.map(({ effect }) => effect.change);
  const risky = statements.flatMap((statement, index) => {
    const { effect } = statement;
    const isRisky = protectionAction(profile.protection, effect) === 'confirm' || effect.dangers.length > 0;
    return isRisky ? [{ statement, index }] : [];
  });
  const listed: RiskyStatement[] = [];
  let first: T | undefined;
  let harmlessCount = 0;
  // Counting takes time, so count only rows of statements that the question lists.
  while (listed.length < maxListed && listed.length + harmlessCount < risky.length) {
    const start = listed.length + harmlessCount;
    const next = risky.slice(start, start + maxListed - listed.length).map(async ({ statement, index }) => {
      const isCounted = start < maxCounted;
      return {
        statement,
        touchedRows: isCounted ? await countTouchedRows(statement, changes.slice(0, index), countRows) : undefined,
      };
    });
    for (const { statement, touchedRows } of await Promise.all(next)) {
      // Its table does not exist yet, so it touches only rows that the script itself inserts.
      if (profile.protection === 'open' && touchedRows?.kind === 'missing') harmlessCount++;
      else {
        first ??= statement;
        listed.push({ sql: statement.sql, effect: statement.effect, touchedRows });
      }
    }
  }
  if (!first) return true;
  const question: RunQuestion = {
    profile,
    statements: listed,
    riskyCount: risky.length - harmlessCount,
    totalCount: statements.length,
  };
  return prompts.confirmRun(question, first);
}
