import type { Column } from '../../../wire/values.ts';

export function columnsOf(names: readonly string[], types: readonly (string | null | undefined)[]): Column[] {
  return names.map((name, i) => ({ name, type: types[i] ?? '' }));
}
