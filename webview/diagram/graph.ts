import { t } from '@vscode/l10n';
import { foldAscii } from '../../src/base/foldAscii.ts';
import type { DiagramKey, DiagramTable } from '../../src/protocol/diagram.ts';

/** A table, or a missing one that a foreign key names. */
export interface GraphTable {
  readonly name: string;
  /** Undefined for a missing table. */
  readonly table: DiagramTable | undefined;
  readonly change?: TableChange | undefined;
}

/** How the last change of the schema changed a table. */
interface TableChange {
  readonly isNew: boolean;
  /** The columns that are new or have changed. */
  readonly columns: ReadonlySet<string>;
}

/** A foreign key between two nodes. */
export interface KeyEdge {
  readonly key: DiagramKey;
  readonly from: GraphTable;
  readonly to: GraphTable;
  /** The last change of the schema added it. */
  readonly isNew: boolean;
}

export interface TableGraph {
  readonly nodes: readonly GraphTable[];
  readonly edges: readonly KeyEdge[];
}

/** Without earlier tables, nothing is marked as changed. */
export function graphOf(tables: readonly DiagramTable[], earlierTables = tables): TableGraph {
  const earlier = new Map(earlierTables.map(table => [table.name, table]));
  const nodes = new Map<string, GraphTable>(
    tables.map(table => {
      const change = changeOf(table, earlier.get(table.name));
      return [foldAscii(table.name), { name: table.name, table, change }];
    }),
  );
  const owners = [...nodes.values()];
  const nodeOf = (name: string): GraphTable => {
    const node = nodes.get(foldAscii(name)) ?? { name, table: undefined };
    nodes.set(foldAscii(name), node);
    return node;
  };
  const edges = owners.flatMap(from => {
    const isNew = isMissingIn(earlier.get(from.name)?.keys ?? []);
    return (from.table?.keys ?? []).map(key => ({ key, from, to: nodeOf(key.table), isNew: isNew(key) }));
  });
  return { nodes: [...nodes.values()], edges };
}

function changeOf(table: DiagramTable, earlier: DiagramTable | undefined): TableChange | undefined {
  if (earlier && !isMissingIn([earlier])(table)) return undefined;
  const changed = earlier ? table.columns.filter(isMissingIn(earlier.columns)) : [];
  return { isNew: !earlier, columns: new Set(changed.map(({ name }) => name)) };
}

function isMissingIn<T>(items: readonly T[]): (item: T) => boolean {
  const texts = new Set(items.map(item => JSON.stringify(item)));
  return item => !texts.has(JSON.stringify(item));
}

export const nodeNamed = ({ nodes }: TableGraph, name: string): GraphTable | undefined =>
  nodes.find(node => foldAscii(node.name) === foldAscii(name));

/** The tables whose name is, begins with, or has a text, in this order. */
export function tablesMatching({ nodes }: TableGraph, text: string): GraphTable[] {
  const wanted = foldAscii(text);
  const rank = (name: string): number => {
    const key = foldAscii(name);
    return key === wanted ? 0 : key.startsWith(wanted) ? 1 : key.includes(wanted) ? 2 : 3;
  };
  return nodes
    .filter(({ name }) => rank(name) < 3)
    .toSorted((one, other) => rank(one.name) - rank(other.name) || one.name.localeCompare(other.name));
}

/** The part of a graph with these nodes. */
export const partOf = ({ nodes, edges }: TableGraph, kept: ReadonlySet<GraphTable>): TableGraph => ({
  nodes: nodes.filter(node => kept.has(node)),
  edges: edges.filter(({ from, to }) => kept.has(from) && kept.has(to)),
});

/** The nodes that are at most `distance` foreign keys away from one of the starts, in either direction. */
export function neighbourhoodOf(
  { edges }: TableGraph,
  starts: readonly GraphTable[],
  distance: number,
): Set<GraphTable> {
  const neighbours = neighboursIn(edges);
  const reached = new Set(starts);
  let outermost: readonly GraphTable[] = starts;
  for (let step = 0; step < distance && outermost.length > 0; step++) {
    outermost = [...new Set(outermost.flatMap(node => neighbours.get(node) ?? []))].filter(node => !reached.has(node));
    for (const node of outermost) reached.add(node);
  }
  return reached;
}

function neighboursIn(edges: readonly KeyEdge[]): Map<GraphTable, GraphTable[]> {
  const neighbours = new Map<GraphTable, GraphTable[]>();
  const add = (node: GraphTable, other: GraphTable): void => {
    const others = neighbours.get(node);
    if (others) others.push(other);
    else neighbours.set(node, [other]);
  };
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  return neighbours;
}

export const groupings = ['prefix', 'connected', 'none'] as const;
export type Grouping = (typeof groupings)[number];

/** Fewer tables are no group. */
const minMembers = 2;

/** The title of each node's group. It is empty if there are no groups. */
export function groupTitles(graph: TableGraph, grouping: Grouping): (node: GraphTable) => string {
  if (grouping === 'none') return () => '';
  const titles = grouping === 'prefix' ? prefixTitles(graph.nodes) : connectedTitles(graph);
  return node => titles.get(node) ?? (grouping === 'prefix' ? t('Other Tables') : t('Tables without Keys'));
}

/** Groups by name if most names have a prefix that others share, and by keys otherwise. */
export function defaultGrouping({ nodes }: TableGraph): Grouping {
  const titles = prefixTitles(nodes);
  const groupCount = new Set(titles.values()).size;
  return groupCount > 1 && titles.size * 2 > nodes.length ? 'prefix' : 'connected';
}

function prefixTitles(nodes: readonly GraphTable[]): Map<GraphTable, string> {
  const byPrefix = Map.groupBy(nodes, ({ name }) => foldAscii(prefixOf(name)));
  const groups = [...byPrefix].filter(([prefix, members]) => prefix !== '' && members.length >= minMembers);
  return new Map(groups.flatMap(([, members]) => members.map(node => [node, prefixOf(members[0]!.name)] as const)));
}

/** The word before the first separator or capital letter: `order_items` and `orderItems` begin with `order`. */
const prefixOf = (name: string): string => /^(\p{Lu}*[\p{Ll}\d]+|\p{Lu}+)(?=[_.\- ]|\p{Lu})/u.exec(name)?.[0] ?? name;

/** A connected part is named for the table with most keys. */
function connectedTitles(graph: TableGraph): Map<GraphTable, string> {
  const neighbours = neighboursIn(graph.edges);
  const titles = new Map<GraphTable, string>();
  for (const node of graph.nodes) {
    if (titles.has(node) || !neighbours.has(node)) continue;
    const part = [...neighbourhoodOf(graph, [node], Infinity)];
    if (part.length < minMembers) continue;
    const degree = (member: GraphTable): number => neighbours.get(member)?.length ?? 0;
    const hub = part.reduce((best, member) => (degree(member) > degree(best) ? member : best));
    for (const member of part) titles.set(member, t('Around {0}', hub.name));
  }
  return titles;
}
