import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Views that cannot be read and tables that cannot be written, as with a trigger that names a missing column, with the reason. */
export function brokenObjects(rehearsal: Rehearsal): Map<string, string> {
  const broken = new Map<string, string>();
  const entries = rehearsal.entries();
  const tried = new Set<string>();
  for (const { kind, name, table } of entries) {
    if (kind === 'view') {
      const fault = rehearsal.prepare(`SELECT * FROM ${quoteIdentifier(name)}`);
      if (fault !== undefined) broken.set(name, fault);
    }
    const isView = entries.some(entry => entry.kind === 'view' && entry.name === table);
    if ((kind !== 'table' && kind !== 'trigger') || isView || tried.has(table)) continue;
    tried.add(table);
    const fault = writeFault(rehearsal, table);
    if (fault !== undefined) broken.set(table, fault);
  }
  return broken;
}

function writeFault(rehearsal: Rehearsal, table: string): string | undefined {
  const [column] = rehearsal.query('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 LIMIT 1', table);
  if (!column) return undefined;
  const name = quoteIdentifier(String(column['name']));
  const target = quoteIdentifier(table);
  return (
    rehearsal.prepare(`DELETE FROM ${target}`) ??
    rehearsal.prepare(`UPDATE ${target} SET ${name} = ${name}`) ??
    rehearsal.prepare(`INSERT INTO ${target} DEFAULT VALUES`)
  );
}
