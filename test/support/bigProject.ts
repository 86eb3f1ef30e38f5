import { splitStatements } from '../../src/sql/text/splitter.ts';
import { ddl } from '../sql/corpus.ts';
import { longScript } from './longScript.ts';

/** A schema of at least that many tables. It consists of copies of the corpus' schema with numbered names. */
export function bigSchema(minTables: number): { readonly ddl: string[]; readonly copies: number } {
  const statements = splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end));
  const tablesPerCopy = statements.filter(sql => /^CREATE (?:VIRTUAL )?TABLE/.test(sql)).length;
  const copies = Math.ceil(minTables / tablesPerCopy);
  const numbers = Array.from({ length: copies }, (_, number) => number);
  return { ddl: numbers.flatMap(number => statements.map(sql => numbered(sql, number))), copies };
}

/**
 * A long script that uses the copies in turn, including its DDL: a dropped or renamed table is missing for the later
 * statements of the same copy. One of twenty statements has a mistyped name.
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
