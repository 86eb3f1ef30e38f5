import { Real, type SqlParameter } from '../wire/values.ts';
import type { SourceKeyValue } from './importing/sourceRow.ts';

/** SQL with the values of its placeholders: a statement, or a part of one. */
export interface BoundSql {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
}

/** A term for a stored value. */
export function boundTerm(value: SourceKeyValue): BoundSql {
  switch (value.kind) {
    case 'null':
      return { sql: 'NULL', params: [] };
    case 'integer':
      return { sql: '?', params: [BigInt(value.text)] };
    case 'real':
      return { sql: '?', params: [new Real(Number(value.text))] };
    case 'text':
      return { sql: '?', params: [value.text] };
    case 'blob':
      return { sql: 'unhex(?)', params: [value.hex] };
    case 'rawText':
      // The sign removes the affinity of the CAST, which would convert the other side of a comparison.
      return { sql: '(+CAST(unhex(?) AS TEXT))', params: [value.hex] };
  }
}
