import { oneOf, type Random, upTo } from '../../../fuzz/random.ts';

/* Random queries on agentShop.ts. Most are valid, and most use masked columns. */

interface Source {
  readonly name: string;
  readonly columns: readonly string[];
}

const tables: readonly Source[] = [
  { name: 'customers', columns: ['id', 'name', 'email', 'email', 'city', 'password_hash', 'domain', 'age'] },
  { name: 'customers', columns: ['id', 'email'] },
  { name: 'orders', columns: ['id', 'customer_id', 'customer_email', 'total', 'note'] },
  { name: 'accounts', columns: ['login', 'Password', 'role'] },
  { name: 'audit', columns: ['at', 'old_address'] },
  { name: 'contacts', columns: ['id', 'name', 'contact'] },
  { name: 'contact_orders', columns: ['who', 'address', 'amount'] },
  { name: 'cities', columns: ['city', 'people'] },
  { name: 'products', columns: ['id', 'name', 'price'] },
  { name: 'customer_names', columns: ['name', 'city'] },
];

const literals = ["'Zq4'", "'%@v%'", "'A'", 'NULL', '1', '24', '2.5', "x'41'", "'name'"];
const functions = [
  'upper',
  'lower',
  'length',
  'hex',
  'quote',
  'typeof',
  'json_quote',
  'unicode',
  'abs',
  'trim',
  'octet_length',
];
const aggregates = ['count', 'max', 'min', 'sum', 'group_concat', 'json_group_array', 'total'];
const windows = ['row_number()', 'rank()', 'first_value(1)', 'ntile(2)', 'cume_dist()'];
const operators = ['=', '<', '>=', '<>', 'IS', 'IS NOT', 'LIKE', 'GLOB', '||', '+', 'AND', 'OR', 'IN', '->>'];
const joins = [' JOIN ', ' LEFT JOIN ', ' CROSS JOIN ', ', ', ' RIGHT JOIN ', ' FULL JOIN '];
const compounds = [' UNION ', ' UNION ALL ', ' EXCEPT ', ' INTERSECT '];
const quotes: readonly ((name: string) => string)[] = [
  name => name,
  name => name,
  name => name.toUpperCase(),
  name => `"${name}"`,
  name => `[${name}]`,
  name => `\`${name}\``,
];

/** Queries deeper than this end in plain columns and tables. */
const maxDepth = 3;

export class RandomQueries {
  readonly #random: Random;
  /** The common tables of the statement. */
  #commonTables: Source[] = [];
  #aliases = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  statement(): string {
    this.#commonTables = [];
    this.#aliases = 0;
    const explain = this.#chance(0.04) ? oneOf(this.#random, ['EXPLAIN ', 'EXPLAIN QUERY PLAN ']) : '';
    const clause = this.#chance(0.25) ? this.#with() : '';
    return explain + clause + this.#query(0);
  }

  #with(): string {
    const list = Array.from({ length: 1 + upTo(this.#random, 2) }, () => {
      const name = this.#chance(0.15) ? oneOf(this.#random, tables).name : this.#alias();
      const query = this.#select(1, ['x', 'y']);
      this.#commonTables.push({ name, columns: ['x', 'y'] });
      return `${name} AS ${this.#chance(0.2) ? 'MATERIALIZED ' : ''}(${query})`;
    });
    return `WITH ${this.#chance(0.2) ? 'RECURSIVE ' : ''}${list.join(', ')} `;
  }

  #query(depth: number): string {
    const names = this.#chance(0.5) ? undefined : ['p', 'q'];
    const first = this.#select(depth, names);
    if (!names || !this.#chance(0.2)) return first + this.#tail(depth, names);
    return first + oneOf(this.#random, compounds) + this.#select(depth, names) + this.#tail(depth, undefined);
  }

  #tail(depth: number, names: readonly string[] | undefined): string {
    if (depth > 0 || !this.#chance(0.4)) return '';
    const order = this.#chance(0.7) ? ` ORDER BY ${names ? oneOf(this.#random, names) : '1'}` : '';
    return `${order} LIMIT ${1 + upTo(this.#random, 5)}`;
  }

  /** A SELECT with columns of these names, or with any. */
  #select(depth: number, names: readonly string[] | undefined): string {
    const scope: Source[] = [];
    const from = this.#from(depth, scope);
    const isGrouped = this.#chance(0.15);
    const value = (): string => (isGrouped ? this.#aggregate(depth, scope) : this.#expression(depth, scope));
    const columns = names
      ? names.map(name => `${value()} AS ${name}`)
      : this.#chance(0.35)
        ? ['*']
        : [value(), value()];
    const where = this.#chance(0.5) ? ` WHERE ${this.#expression(depth, scope)}` : '';
    const group = isGrouped ? ` GROUP BY ${this.#expression(depth, scope)}` : '';
    return `SELECT ${this.#chance(0.1) ? 'DISTINCT ' : ''}${columns.join(', ')} FROM ${from}${where}${group}`;
  }

  #from(depth: number, scope: Source[]): string {
    let text = this.#source(depth, scope);
    while (this.#chance(0.3) && scope.length < 3) {
      const join = this.#chance(0.1) ? ' NATURAL JOIN ' : oneOf(this.#random, joins);
      text += join + this.#source(depth, scope);
      if (join === ', ' || join === ' NATURAL JOIN ') continue;
      text += this.#chance(0.3) ? ' USING (id)' : ` ON ${this.#expression(maxDepth, scope)}`;
    }
    return text;
  }

  #source(depth: number, scope: Source[]): string {
    const alias = this.#alias();
    if (depth < maxDepth && this.#chance(0.2)) {
      scope.push({ name: alias, columns: ['x', 'y'] });
      return `(${this.#select(depth + 1, ['x', 'y'])}) AS ${alias}`;
    }
    const { name, columns } = oneOf(this.#random, [...tables, ...this.#commonTables, ...this.#commonTables]);
    const qualifier = this.#chance(0.03) ? 'main.' : '';
    const isAliased = this.#chance(0.7);
    scope.push({ name: isAliased ? alias : name, columns });
    return `${qualifier}${oneOf(this.#random, quotes)(name)}${isAliased ? ` AS ${alias}` : ''}`;
  }

  #expression(depth: number, scope: readonly Source[]): string {
    const inner = (): string => this.#expression(depth + 1, scope);
    if (depth >= maxDepth) return this.#chance(0.8) ? this.#column(scope) : oneOf(this.#random, literals);
    switch (upTo(this.#random, 14)) {
      case 0:
        return oneOf(this.#random, literals);
      case 1:
        return `${oneOf(this.#random, functions)}(${inner()})`;
      case 2:
        return `substr(${inner()}, ${1 + upTo(this.#random, 20)}, 1)`;
      case 3:
      case 4: {
        const operator = oneOf(this.#random, operators);
        return operator === 'IN' ? `${inner()} IN (${inner()}, ${inner()})` : `(${inner()} ${operator} ${inner()})`;
      }
      case 5:
        return `CASE WHEN ${inner()} THEN ${inner()} ELSE ${inner()} END`;
      case 6:
        return `(SELECT ${oneOf(this.#random, ['x', 'y'])} FROM (${this.#select(depth + 1, ['x', 'y'])}) LIMIT 1)`;
      case 7:
        return `EXISTS (${this.#select(depth + 1, ['x'])})`;
      case 8:
        return `${inner()} IN (${this.#select(depth + 1, ['x'])})`;
      case 9:
        return `CAST(${inner()} AS ${oneOf(this.#random, ['TEXT', 'BLOB', 'INTEGER', 'REAL'])})`;
      case 10:
        return depth === 0 ? `${oneOf(this.#random, windows)} OVER (ORDER BY ${inner()})` : inner();
      default:
        return this.#column(scope);
    }
  }

  #aggregate(depth: number, scope: readonly Source[]): string {
    return `${oneOf(this.#random, aggregates)}(${this.#expression(depth + 1, scope)})`;
  }

  #column(scope: readonly Source[]): string {
    const { name, columns } = oneOf(this.#random, scope);
    const column = oneOf(this.#random, quotes)(oneOf(this.#random, columns));
    const database = this.#chance(0.01) ? 'main.' : '';
    return this.#chance(0.9) ? `${database}${name}.${column}` : column;
  }

  #alias(): string {
    this.#aliases++;
    return `t${this.#aliases}`;
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
}
