import { keyOf } from '../../sql/text/names.ts';
import type {
  Check,
  ColumnDesign,
  ForeignKeyDesign,
  IndexDesign,
  KeyPart,
  ReferenceDesign,
  TableDesign,
} from '../../protocol/tableDesign.ts';
import { fallsBackToName, identifier, grammarTokens } from '../../sql/parser/grammar.ts';
import { keywordList } from '../../sql/text/keywordList.ts';
import { unquoted } from '../../sql/text/quoting.ts';

/** Parts of a design as texts that are equal if they mean the same. Columns are named: their ids differ with each reading. */
export class CanonicalDesign {
  readonly #design: TableDesign;
  readonly #names: ReadonlyMap<string, string>;

  constructor(design: TableDesign) {
    this.#design = design;
    this.#names = new Map(design.columns.map(({ id, name }) => [id, name]));
  }

  column(column: ColumnDesign): string {
    const { name, type, notNull, defaultValue, generated, collation, unique, checks, references } = column;
    return JSON.stringify([
      name,
      normalizedSql(type),
      notNull && [notNull.name, notNull.onConflict],
      defaultValue === undefined ? null : normalizedSql(defaultValue),
      generated && [normalizedSql(generated.expression), generated.stored],
      collation && keyOf(collation),
      unique && [unique.name, unique.onConflict],
      checks.map(checkText),
      references && referenceText(references),
    ]);
  }

  table(): string {
    const { primaryKey, uniqueKeys, checks, foreignKeys, strict, withoutRowid } = this.#design;
    return JSON.stringify([
      primaryKey && [
        primaryKey.name,
        this.#parts(primaryKey.columns),
        primaryKey.autoincrement,
        primaryKey.onConflict,
        primaryKey.isTableConstraint === true || primaryKey.columns.length > 1,
      ],
      uniqueKeys.map(key => [key.name, this.#parts(key.columns), key.onConflict]),
      checks.map(checkText),
      foreignKeys.map(key => this.foreignKey(key)),
      strict,
      withoutRowid,
    ]);
  }

  index(index: IndexDesign): string {
    const parts = index.parts.map(part =>
      'column' in part ? this.#part(part) : [normalizedSql(part.expression), part.descending === true],
    );
    const where = index.where === undefined ? null : normalizedSql(index.where);
    return JSON.stringify([index.name, index.unique, parts, where]);
  }

  /** The whole table with its indexes, without triggers and comments. */
  text(): string {
    const { name, columns, indexes } = this.#design;
    return JSON.stringify([
      name,
      columns.map(column => this.column(column)),
      this.table(),
      indexes.map(index => this.index(index)).toSorted(),
    ]);
  }

  foreignKey(key: ForeignKeyDesign): string {
    return JSON.stringify([key.from.map(id => this.#names.get(id)), referenceText(key)]);
  }

  #parts(parts: readonly KeyPart[]): unknown {
    return parts.map(part => this.#part(part));
  }

  #part({ column, collation, descending }: KeyPart): unknown {
    return [this.#names.get(column), collation && keyOf(collation), descending === true];
  }
}

export const isSameTableDesign = (a: TableDesign, b: TableDesign): boolean =>
  new CanonicalDesign(a).text() === new CanonicalDesign(b).text();

const checkText = ({ name, expression }: Check): unknown => [name, normalizedSql(expression)];

const referenceText = (reference: ReferenceDesign): unknown => [
  reference.name,
  reference.table,
  reference.columns,
  reference.onDelete ?? 'NO ACTION',
  reference.onUpdate ?? 'NO ACTION',
  reference.match,
  reference.deferral,
];

/**
 * A statement or expression such that two of them with the same meaning are the same text: without comments, with one space
 * between tokens, and with quotes only where two names would otherwise be one text.
 */
export function normalizedSql(sql: string): string {
  return grammarTokens(sql, 0, sql.length)
    .map(({ type, text }) => {
      if (type === identifier || fallsBackToName(type)) return normalizedName(unquoted(text));
      return keywordList.has(text.toUpperCase()) ? text.toLowerCase() : text;
    })
    .join(' ');
}

/** A name that is also a keyword is in lower case, because a keyword has no case. */
function normalizedName(name: string): string {
  const isKeyword = keywordList.has(name.toUpperCase());
  const word = isKeyword ? name.toLowerCase() : name;
  return /^[\w\u0080-\u{10ffff}]+$/u.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}
