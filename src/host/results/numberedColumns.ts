import type { Column } from '../../wire/values.ts';

/** The service names equal columns `a`, `a:1`, `a:2`. People see `a`, `a (2)`, `a (3)`. */
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
