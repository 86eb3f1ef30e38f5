import { ddl } from '../sql/corpus.ts';

/** The corpus' schema among so many tables of 20 columns each that there are `count` in all. */
export function largeSchema(count: number): string {
  const tables = ddl.match(/^CREATE (?:VIRTUAL )?TABLE/gm)?.length ?? 0;
  const columns = Array.from({ length: 19 }, (_, index) => `column_${index} ${index % 2 === 0 ? 'TEXT' : 'INTEGER'}`);
  const further = Array.from(
    { length: count - tables },
    (_, index) => `CREATE TABLE table_${index}(id INTEGER PRIMARY KEY, ${columns.join(', ')});`,
  );
  return [ddl, ...further].join('\n');
}
