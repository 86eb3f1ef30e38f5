import { t } from '@vscode/l10n';
import { foldAscii } from '../../src/base/foldAscii.ts';
import { cutText } from '../../src/base/oneLine.ts';
import { formatCount } from '../ui/counts.ts';
import { visibleText } from '../ui/visibleText.ts';
import { type KeyEdge, type TableGraph, type GraphTable } from './graph.ts';
import type { LayoutAnswer, LayoutBox, LayoutLine, LayoutRequest } from './layout/layout.ts';
import { boundsAround, cell, type Point, type Rect } from './layout/rects.ts';

/** Sizes in the coordinates of a diagram. */
export const headerHeight = 30;
export const rowHeight = 20;
export const padding = 10;
const columnGap = 16;
export const fontSize = 13;
export const labelFontSize = 11;

const maxNameLength = 40;
const maxTypeLength = 24;
/** Wider tables show their first columns and their number. */
const maxRows = 60;

/** Which columns boxes have. */
export const columnChoices = ['all', 'keys', 'none'] as const;
export type ShownColumns = (typeof columnChoices)[number];

interface Row {
  /** The column as it is called. Empty for the number of columns that are left out. */
  readonly column: string;
  /** `PK`, `FK` or both. */
  readonly mark: string;
  readonly name: string;
  /** The type, with NOT NULL. */
  readonly type: string;
  readonly isChanged: boolean;
}

/** A table as its box shows it. */
interface BoxContent {
  readonly node: GraphTable;
  readonly title: string;
  readonly rows: readonly Row[];
  /** The width of the marks before the names. */
  readonly markWidth: number;
  readonly width: number;
  readonly height: number;
}

export interface SceneBox extends BoxContent, Rect {}

export interface SceneLine {
  readonly edge: KeyEdge;
  readonly points: readonly Point[];
  readonly bounds: Rect;
  readonly text: string;
  readonly label: Point | undefined;
}

/** A diagram as it is painted. */
export interface Scene {
  readonly boxes: readonly SceneBox[];
  readonly lines: readonly SceneLine[];
  readonly groups: LayoutAnswer['groups'];
  readonly bounds: Rect;
}

export const emptyScene: Scene = { boxes: [], lines: [], groups: [], bounds: boundsAround([]) };

/** Gives the width of a text. */
export type Measure = (text: string, size?: number, isBold?: boolean) => number;

/** Contents of boxes, with the request for their places. */
export interface SceneDraft {
  readonly contents: readonly BoxContent[];
  readonly edges: readonly KeyEdge[];
  readonly request: LayoutRequest;
}

interface DraftOptions {
  readonly id: number;
  readonly kind: LayoutRequest['kind'];
  readonly columnsOf: (node: GraphTable) => ShownColumns;
  readonly placeOf: (node: GraphTable) => Point | undefined;
  readonly groupOf: (node: GraphTable) => string;
  readonly measure: Measure;
}

export function draftOf(graph: TableGraph, options: DraftOptions): SceneDraft {
  const { id, kind, columnsOf, placeOf, groupOf, measure } = options;
  const contents = graph.nodes.map(node => contentOf(node, columnsOf(node), measure));
  const numbers = new Map(graph.nodes.map((node, number) => [node, number]));
  const boxes = contents.map(({ node, width, height }): LayoutBox => ({
    width,
    height,
    group: groupOf(node),
    place: placeOf(node),
  }));
  const lines = graph.edges.map((edge): LayoutLine => {
    const from = numbers.get(edge.from)!;
    const to = numbers.get(edge.to)!;
    return {
      from,
      to,
      fromY: rowMiddle(contents[from]!, edge.key.columns[0]),
      toY: rowMiddle(contents[to]!, edge.key.targets[0]),
      labelWidth: Math.ceil(measure(lineText(edge), labelFontSize)),
    };
  });
  return { contents, edges: graph.edges, request: { id, kind, boxes, lines } };
}

export function sceneOf({ contents, edges }: SceneDraft, { boxes, groups, routes = [] }: LayoutAnswer): Scene {
  const lines = routes.map(({ points, label }, number): SceneLine => {
    const edge = edges[number]!;
    const bounds = boundsAround(points.map(point => ({ ...point, width: 0, height: 0 })));
    return { edge, points, bounds, text: lineText(edge), label };
  });
  return {
    boxes: boxes.map((rect, number) => ({ ...contents[number]!, ...rect })),
    lines,
    groups: groups.map(group => ({ ...group, title: shortName(group.title) })),
    bounds: boundsAround([...boxes, ...groups, ...lines.map(({ bounds }) => bounds)]),
  };
}

export const shortName = (name: string): string => cutText(visibleText(name.slice(0, 1000)), maxNameLength);

const lineText = ({ key: { columns, targets } }: KeyEdge): string =>
  cutText(visibleText(`${columns.join(', ')} → ${targets.join(', ')}`.slice(0, 1000)), maxNameLength);

function contentOf(node: GraphTable, choice: ShownColumns, measure: Measure): BoxContent {
  const title = titleOf(node);
  const rows = rowsOf(node, choice);
  const markWidth = Math.max(0, ...rows.map(({ mark }) => (mark === '' ? 0 : measure(mark, labelFontSize) + 8)));
  const rowWidths = rows.map(
    ({ name, type, isChanged }) => measure(name, fontSize, isChanged) + (type === '' ? 0 : columnGap + measure(type)),
  );
  const width = Math.max(measure(title, fontSize, true), markWidth + Math.max(0, ...rowWidths)) + 2 * padding;
  return {
    node,
    title,
    rows,
    markWidth,
    width: Math.ceil(width / cell) * cell,
    height: headerHeight + rows.length * rowHeight,
  };
}

function titleOf({ name, table, change }: GraphTable): string {
  const title = shortName(name);
  if (!table) return t('{0} (missing)', title);
  if (!change) return title;
  return change.isNew ? t('{0} (new)', title) : t('{0} (changed)', title);
}

function rowsOf({ table, change }: GraphTable, choice: ShownColumns): Row[] {
  if (!table || choice === 'none') return [];
  const foreign = new Set(table.keys.flatMap(({ columns }) => columns.map(foldAscii)));
  const rows = table.columns.flatMap(({ name, type, isPrimary, isNotNull }) => {
    const isForeign = foreign.has(foldAscii(name));
    if (choice === 'keys' && !isPrimary && !isForeign) return [];
    const mark = [isPrimary ? 'PK' : '', isForeign ? 'FK' : ''].filter(Boolean).join(' ');
    const shownType = cutText(visibleText(type.slice(0, 1000)), maxTypeLength);
    return [
      {
        column: name,
        mark,
        name: shortName(name),
        type: [shownType, isNotNull ? 'NOT NULL' : ''].filter(Boolean).join(' '),
        isChanged: change?.columns.has(name) ?? false,
      },
    ];
  });
  if (rows.length <= maxRows) return rows;
  const hidden = `… + ${formatCount(rows.length - maxRows + 1)}`;
  return [...rows.slice(0, maxRows - 1), { column: '', mark: '', name: hidden, type: '', isChanged: false }];
}

/** The middle of a column's row, or of the title without a row. */
function rowMiddle({ rows }: BoxContent, column: string | undefined): number {
  const row = column === undefined ? -1 : rows.findIndex(other => foldAscii(other.column) === foldAscii(column));
  return row < 0 ? titleMiddle : headerHeight + row * rowHeight + rowHeight / 2;
}

/** Lines end on the grid. */
const titleMiddle = 20;
