import type { Profile } from '../../model/profiles.ts';
import { protectionAction } from '../../model/protection.ts';
import type { AnalyzedStatement, BoundStatement } from './boundStatement.ts';
import { maxListed, type RiskyStatement, type RunPrompts } from './runPrompts.ts';
import { type CountRows, countTouchedRows } from './touchedRows.ts';

/** Refuses all statements if the project's protection refuses one of them. Returns true when it did. */
export function refuseByProtection(
  prompts: Pick<RunPrompts, 'showRefusal'>,
  profile: Profile,
  statements: readonly AnalyzedStatement[],
): boolean {
  const refused = statements.filter(({ effect }) => protectionAction(profile.protection, effect) === 'refuse');
  if (refused.length === 0) return false;
  prompts.showRefusal({ profile, refused, totalCount: statements.length });
  return true;
}

/**
 * Asks once for all statements that need a confirmation: those that the project's protection wants confirmed, and dangerous ones
 * in every project. Resolves to true when nothing has to be asked.
 */
export async function confirmRisks(
  prompts: Pick<RunPrompts, 'confirmRun'>,
  profile: Profile,
  statements: readonly BoundStatement[],
  countRows: CountRows,
): Promise<boolean> {
  const risky = statements.filter(
    ({ effect }) => protectionAction(profile.protection, effect) === 'confirm' || effect.dangers.length > 0,
  );
  if (risky.length === 0) return true;
  // Counting rows takes time, so count only those that the question lists.
  const listed = risky.slice(0, maxListed).map(async (statement): Promise<RiskyStatement> => {
    const { sql, effect } = statement;
    return { sql, effect, touchedRows: await countTouchedRows(statement, countRows) };
  });
  const listedStatements = await Promise.all(listed);
  // A script may make the table that it drops.
  if (statements.length === 1 && profile.protection === 'open' && listedStatements[0]?.touchedRows?.kind === 'missing')
    return true;
  return prompts.confirmRun({
    profile,
    statements: listedStatements,
    riskyCount: risky.length,
    totalCount: statements.length,
  });
}
