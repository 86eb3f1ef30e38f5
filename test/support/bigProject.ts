import { splitStatements } from '../../src/sql/text/splitter.ts';
import { ddl } from '../sql/corpus.ts';
import { longScript } from './longScript.ts';

/** The corpus' schema, over and over with other names, until it has that many tables, and how often that is. */
export function bigSchema(tables: number): { readonly ddl: string[]; readonly copies: number } {
  const statements = splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end));
  const tablesEach = statements.filter(sql => /^CREATE (?:VIRTUAL )?TABLE/.test(sql)).length;
  const copies = Math.ceil(tables / tablesEach);
  const numbers = Array.from({ length: copies }, (_, number) => number);
  return { ddl: numbers.flatMap(number => statements.map(sql => numbered(sql, number))), copies };
}

/**
 * A long script that uses each of the copies in turn, with all it does to their schema: what is dropped or renamed is gone
 * for the later statements of the same copy. In one of twenty statements somebody mistyped a name.
 */
export function bigScript(lines: number, copies: number): string {
  const parts = longScript(lines).split(/(?=^-- statement \d+$)/m);
  return parts
    .map((part, number) => {
      const statement = numbered(part, number % copies);
      return number % 20 === 19 ? statement.replace(/\b(?:name|title|salary|users_\d+)\b/, '$&e') : statement;
    })
    .join('');
}

const names =
  /\b(?:users|posts|tags|strict_t|gen|emp|active_users|docs|idx_posts_user|posts_ai|people|[tv]\d|[fir]1)\b|"(?:order|таблица|t 8|end)"|(?<=FROM )таблица/g;

function numbered(sql: string, number: number): string {
  return sql.replaceAll(names, name => (name.endsWith('"') ? `${name.slice(0, -1)}_${number}"` : `${name}_${number}`));
}
