import type { ReadingSelect } from '../reads/readingStatement.ts';
import { keyOf } from '../text/names.ts';
import { quoteIdentifier } from '../text/quoting.ts';
import { mentionedNames } from '../text/mentionedNames.ts';
import { type MaskSource, maskSourceOf } from './maskSources.ts';
import type { MaskedSchema } from './maskedSchema.ts';

type MaskedStatement =
  | {
      readonly kind: 'masked';
      /** The statement itself if it reads no masked column. */
      readonly sql: string;
      /** The names of the tables and views that are masked in it. */
      readonly sources: readonly string[];
    }
  | {
      readonly kind: 'refused';
      readonly reason: string;
    };

const refused = (reason: string): MaskedStatement => ({ kind: 'refused', reason });

/**
 * Masks at the source: common tables with the names of tables and views hide those from a statement, and give a constant in
 * place of each masked column. The statement computes everything from that constant.
 */
export function maskedStatement(sql: string, statement: ReadingSelect, masks: MaskedSchema): MaskedStatement {
  const ownTables = new Set(statement.with?.commonTables.map(keyOf));
  for (const { database, name } of [...statement.tables, ...statement.qualifiedColumns]) {
    const reason = masks.refusalOf(name);
    if (reason !== undefined) return refused(`'${name}' cannot be read: ${reason}`);
    if (database !== undefined && masks.isMaskedSource(name)) {
      return refused(`${masks.exampleOf(name)} Write ${quoteIdentifier(name)} without "${database}." in front of it.`);
    }
  }
  const sources = new Map<string, MaskSource>();
  // The words of the statement have all names in its tree, and more. A source too many does no harm.
  const pending = [...mentionedNames(sql)].filter(name => !ownTables.has(name));
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (!masks.isMaskedSource(name) || sources.has(name)) continue;
    const source = maskSourceOf(masks, name);
    if (!source) return refused(`'${name}' cannot be read: SQLite cannot read this view.`);
    const hidden = [...source.reads].find(read => ownTables.has(read));
    if (hidden !== undefined) {
      return refused(
        `'${name}' reads '${hidden}', which a common table of the statement hides. Give that another name.`,
      );
    }
    sources.set(name, source);
    pending.push(...source.mentions);
  }
  if (sources.size === 0) return { kind: 'masked', sql, sources: [] };
  const text = [...sources.values()].map(source => source.sql).join(', ');
  const { with: clause, start } = statement;
  const masked = clause
    ? `${sql.slice(0, clause.start)} ${text}, ${sql.slice(clause.start)}`
    : `${sql.slice(0, start)}WITH ${text} ${sql.slice(start)}`;
  return { kind: 'masked', sql: masked, sources: [...sources.keys()] };
}
