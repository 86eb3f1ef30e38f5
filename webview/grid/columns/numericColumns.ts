import type { TaggedValue } from '../../../src/protocol/shownValues.ts';
import { type Column, isNumberType } from '../../../src/wire/values.ts';

/**
 * Whether each column holds numbers: by its declared type, or by the first rows while the service has named no type.
 * Truth values are aligned like numbers.
 */
export function numericColumns(
  columns: readonly Column[],
  sample: readonly (readonly TaggedValue[])[],
): readonly boolean[] {
  return columns.map(({ type }, column) => {
    if (type !== '') return isNumberType(type) || /BOOL/i.test(type);
    const kinds = new Set(sample.map(row => row[column]?.kind ?? 'null'));
    kinds.delete('null');
    return kinds.size > 0 && [...kinds].every(kind => kind === 'integer' || kind === 'real' || kind === 'boolean');
  });
}
