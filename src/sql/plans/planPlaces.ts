import type { AstNode, QualifiedName } from 'sqlite3-parser';
import { rangeOf, rangeOfTable } from '../parser/nodeRange.ts';
import { parseStatement } from '../parser/parser.ts';
import { commonTableNamed, nodesIn, type Visited } from '../parser/walk.ts';
import { isSameName } from '../text/names.ts';
import type { TextRange } from '../text/textRange.ts';
import { type PlanLine, planReadOf } from './planRead.ts';

/** The part of a statement that a line of its plan is about. */
export interface PlanPlace extends TextRange {
  /** The table or view that the line reads. */
  readonly table?: string;
}

/** The place of each line in the statement. Undefined for a line without one, such as a table in a view. */
export function planPlaces(statement: string, lines: readonly PlanLine[]): (PlanPlace | undefined)[] {
  const { ast } = parseStatement(statement);
  if (!ast) return lines.map(() => undefined);
  const places = new PlanPlaces(statement, ast.type === 'ExplainStmt' ? ast.stmt : ast);
  return lines.map(line => places.next(line));
}

class PlanPlaces {
  readonly #statement: string;
  readonly #sources: readonly Visited[];
  readonly #queries: readonly Visited[];
  /** The tables and queries of earlier lines. A plan names those with equal names in the order of the statement. */
  readonly #taken = new Set<AstNode>();
  /** By depth: the node around the places of the lines, and the last table that they read. */
  readonly #regions: AstNode[];
  readonly #lastReads: (Visited | undefined)[] = [];
  /** By depth: whether the lines read a table that an earlier line has read. */
  readonly #repeats: boolean[] = [];

  constructor(statement: string, root: AstNode) {
    this.#statement = statement;
    const nodes = [...nodesIn(root)];
    this.#sources = nodes.filter(({ node }) => namesOf(node).length > 0);
    this.#queries = nodes.filter(({ node }) => node.type === 'Select');
    this.#regions = [root];
  }

  next({ detail, depth }: PlanLine): PlanPlace | undefined {
    const region = this.#regions[depth] ?? this.#regions[0]!;
    this.#regions[depth + 1] = region;
    this.#lastReads[depth + 1] = undefined;
    this.#repeats[depth + 1] = /^(?:INDEX \d|RIGHT-JOIN )/.test(detail);
    const [, clause] = /^USE TEMP B-TREE FOR (.+)/s.exec(detail) ?? [];
    if (clause !== undefined) return this.#clauseOf(clause, region, this.#lastReads[depth]);
    const [, madeTable] = /^(?:CO-ROUTINE|MATERIALIZE) (.+)/s.exec(detail) ?? [];
    if (madeTable !== undefined || /\bSUBQUERY \d+$/.test(detail)) {
      const query = this.#takeQuery(detail, madeTable, region);
      this.#regions[depth + 1] = query ?? region;
      return query && rangeOf(query);
    }
    const name = planReadOf(detail)?.name ?? /^(?:BLOOM FILTER ON|RIGHT-JOIN) (.+?)(?: \(.*\))?$/s.exec(detail)?.[1];
    if (name === undefined) return undefined;
    const sources = this.#sourcesOf(name, region);
    const source = (!this.#repeats[depth] && sources.find(({ node }) => !this.#taken.has(node))) || sources[0];
    if (!source) return undefined;
    if (planReadOf(detail)) {
      this.#taken.add(source.node);
      this.#lastReads[depth] = source;
    }
    return placeOf(source);
  }

  /** The tables and queries with a name in a region. The outermost come first. */
  #sourcesOf(name: string, region: AstNode): Visited[] {
    return this.#sources
      .filter(visited => namesOf(visited.node).some(found => isSameName(found, name)))
      .filter(visited => queriesAround(visited, region) >= 0)
      .toSorted((one, other) => queriesAround(one, region) - queriesAround(other, region));
  }

  /** The next query that SQLite runs on its own: one in FROM, a common table, or one in an expression. */
  #takeQuery(detail: string, name: string | undefined, region: AstNode): AstNode | undefined {
    const isMeant = ({ node, parent }: Visited): boolean => {
      const around = parent?.node;
      if (this.#taken.has(node)) return false;
      if (around?.type === 'CommonTableExpr') return name !== undefined && isSameName(around.tblName.text, name);
      if (around?.type === 'SelectSelectTable') {
        return name !== undefined && isSameName(around.alias?.name.text ?? '', name.replace(/^\(.*/s, ''));
      }
      const types = detail.includes('LIST ') ? ['InSelectExpr'] : ['SubqueryExpr', 'ExistsExpr'];
      return name === undefined && around !== undefined && types.includes(around.type);
    };
    const found = this.#queries.filter(isMeant);
    const query = (found.find(visited => queriesAround(visited, region) >= 0) ?? found[0])?.node;
    if (query) this.#taken.add(query);
    return query;
  }

  /** The clause of the innermost query around the table that was read last. */
  #clauseOf(clause: string, region: AstNode, lastRead: Visited | undefined): TextRange | undefined {
    for (let around = lastRead; around; around = around.parent) {
      const range = this.#clauseIn(around.node, clause);
      if (range || around.node === region) return range;
    }
    return undefined;
  }

  #clauseIn(node: AstNode, clause: string): TextRange | undefined {
    if (node.type === 'Select' && /^(?:.* )?ORDER BY$/s.test(clause)) return rangeOfTerms(node.orderBy);
    if (node.type !== 'SelectFrom') return undefined;
    if (clause === 'GROUP BY') return rangeOfTerms(node.groupBy);
    if (clause === 'DISTINCT') {
      const [keywords = ''] = /^SELECT\s+DISTINCT/i.exec(this.#statement.slice(node.span.offset)) ?? [];
      return { start: node.span.offset, end: node.span.offset + keywords.length };
    }
    const inner = [...nodesIn(node, ({ type }) => type === 'Select')].find(visited => isSorted(visited.node, clause));
    return inner && rangeOf(inner.node);
  }
}

/** Whether a call or a window needs the sorting that a plan names. */
function isSorted(node: AstNode, clause: string): boolean {
  if (clause === 'ORDER BY') return node.type === 'Window';
  if (node.type !== 'FunctionCallExpr') return false;
  return clause.endsWith('(DISTINCT)') ? node.distinctness === 'Distinct' : node.orderBy !== undefined;
}

/** The number of queries between a region and a node in it. -1 for a node outside of it. */
function queriesAround(visited: Visited, region: AstNode): number {
  let count = 0;
  for (let around: Visited | undefined = visited; around; around = around.parent) {
    if (around.node === region) return count;
    if (around.node.type === 'Select') count++;
  }
  return -1;
}

/** The table of a statement or in FROM, and its alias. */
function namedTable(node: AstNode): { readonly name: QualifiedName; readonly alias?: string | undefined } | undefined {
  switch (node.type) {
    case 'TableSelectTable':
    case 'TableCallSelectTable':
      return { name: node.tblName, alias: node.alias?.name.text };
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
      return { name: node.tblName, alias: node.tblName.alias?.text };
    default:
      return undefined;
  }
}

/** The names by which a plan may name a table. RIGHT-JOIN uses the table's own name. */
function namesOf(node: AstNode): string[] {
  if (node.type === 'SelectSelectTable') return node.alias ? [node.alias.name.text] : [];
  const table = namedTable(node);
  if (!table) return [];
  const { dbName, objName } = table.name;
  return [table.alias ?? objName.text, objName.text, ...(dbName ? [`${dbName.text}.${objName.text}`] : [])];
}

function placeOf(source: Visited): PlanPlace {
  const table = namedTable(source.node);
  if (!table) return source.node.type === 'SelectSelectTable' ? rangeOfTable(source.node) : rangeOf(source.node);
  const { dbName, objName } = table.name;
  const isCommon = !dbName && commonTableNamed(objName.text, source) !== undefined;
  return { ...rangeOf(table.name), ...(!isCommon && { table: objName.text }) };
}

function rangeOfTerms(terms: readonly AstNode[] | undefined): TextRange | undefined {
  const first = terms?.[0];
  const last = terms?.at(-1);
  return first && last && { start: rangeOf(first).start, end: rangeOf(last).end };
}
