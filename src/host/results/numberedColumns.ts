import type { Column } from '../../wire/values.ts';

/**
 * The columns of a statement as people see them. The service distinguishes columns of the same name as `a`, `a:1`, `a:2`; they
 * are shown as `a`, `a (2)`, `a (3)`.
 */
export function numberedColumns(columns: readonly Column[]): readonly Column[] {
  const names = new Set<string>();
  return columns.map(column => {
    const { name } = column;
    const [, base, number] = /^(.*):(\d+)$/s.exec(name) ?? [];
    const isNumbered = base !== undefined && names.has(base);
    names.add(name);
    return isNumbered ? { ...column, name: `${base} (${Number(number) + 1})` } : column;
  });
}
