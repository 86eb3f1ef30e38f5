import { exactNumbers, jsonParameters, Real, type SqlParameter } from '../wire/values.ts';
import type { SourceKeyValue } from './importing/sourceRow.ts';

/** SQL with the values of its placeholders: a statement, or a part of one. */
export interface BoundSql {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
}

/** SQL with the values of its parts, in their order. A part without values is a text. */
export const bound = (texts: TemplateStringsArray, ...parts: readonly (string | number | BoundSql)[]): BoundSql => ({
  sql: String.raw({ raw: texts }, ...parts.map(part => (typeof part === 'object' ? part.sql : part))),
  params: parts.flatMap(part => (typeof part === 'object' ? part.params : [])),
});

export const joined = (terms: readonly BoundSql[], separator: string): BoundSql => ({
  sql: terms.map(({ sql }) => sql).join(separator),
  params: terms.flatMap(({ params }) => params),
});

/** A script of one statement, with the line that gives its values. */
export function boundScript({ sql, params }: BoundSql): string {
  const paramsLine = params.length > 0 ? `-- @params ${JSON.stringify(jsonParameters(params), exactNumbers)}\n` : '';
  return `${paramsLine}${sql};\n`;
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
