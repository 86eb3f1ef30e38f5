import type { KeyEdge, GraphTable } from './graph.ts';
import { clearance } from './layout/routes.ts';
import { cell, type Point, type Rect } from './layout/rects.ts';
import type { Pen } from './pens.ts';
import {
  fontSize,
  headerHeight,
  labelFontSize,
  type Measure,
  padding,
  rowHeight,
  type Scene,
  type SceneBox,
  type SceneLine,
} from './scene.ts';

export interface Colors {
  readonly background: string;
  readonly foreground: string;
  readonly faint: string;
  readonly border: string;
  readonly header: string;
  readonly chosen: string;
  readonly missing: string;
  /** New and changed tables, columns and keys. */
  readonly changed: string;
  readonly group: string;
}

interface PaintOptions {
  readonly colors: Colors;
  readonly measure: Measure;
  /** The part of the diagram in view. */
  readonly view: Rect;
  /** Pixels of the screen for a length of the diagram. */
  readonly zoom: number;
  readonly chosen?: GraphTable | KeyEdge | undefined;
}

/** Texts of rows are too small to read below this zoom. */
const readableZoom = 0.45;
/** The size on screen of names that replace the rows. */
const overviewFontSize = 12;
const groupFontSize = 15;
const cornerRadius = 6;

export function paint(pen: Pen, scene: Scene, options: PaintOptions): void {
  const { view, chosen, colors } = options;
  for (const group of scene.groups) if (meets(group, view)) paintGroup(pen, group, options);
  const isChosen = ({ edge }: SceneLine): boolean =>
    chosen === edge || isNamed(edge.from, chosen) || isNamed(edge.to, chosen);
  const lines = scene.lines.filter(({ bounds }) => meets(bounds, view));
  // The chosen lines are above the others.
  const ordered = [...lines.filter(line => !isChosen(line)), ...lines.filter(isChosen)];
  for (const line of ordered) paintLine(pen, line, isChosen(line), options);
  for (const box of scene.boxes) if (meets(box, view)) paintBox(pen, box, options);
  if (options.zoom < readableZoom) return;
  for (const { label, text } of lines) {
    if (!label) continue;
    pen.text(text, label.x, label.y + 4, {
      color: colors.faint,
      size: labelFontSize,
      anchor: 'middle',
      halo: colors.background,
    });
  }
}

/** A chosen table stays chosen when a change of the schema makes new nodes. */
const isNamed = ({ name }: GraphTable, chosen: PaintOptions['chosen']): boolean =>
  chosen !== undefined && 'name' in chosen && chosen.name === name;

const meets = (one: Rect, other: Rect): boolean =>
  one.x <= other.x + other.width &&
  other.x <= one.x + one.width &&
  one.y <= other.y + other.height &&
  other.y <= one.y + one.height;

function paintGroup(pen: Pen, group: Rect & { readonly title: string }, { colors, zoom, measure }: PaintOptions): void {
  const path = roundRect(group, 10);
  pen.fill(path, colors.group);
  pen.stroke(path, { color: colors.border, dash: [4, 4] });
  const size = Math.min(
    Math.max(groupFontSize, overviewFontSize / zoom),
    groupFontSize * 2,
    (groupFontSize * (group.width - 2 * padding)) / measure(group.title, groupFontSize, true),
  );
  pen.text(group.title, group.x + padding, group.y + padding + size * 0.85, {
    color: colors.faint,
    size,
    isBold: true,
  });
}

function paintBox(pen: Pen, box: SceneBox, options: PaintOptions): void {
  const { colors, zoom, chosen } = options;
  const { x, y, width, node, title, rows, markWidth } = box;
  const isChosen = isNamed(node, chosen);
  const outline = roundRect(box, cornerRadius);
  pen.fill(outline, colors.background);
  if (zoom < readableZoom) {
    pen.fill(outline, colors.header);
    paintName(pen, box, options);
  } else {
    const header = rows.length === 0 ? outline : topOf(box);
    pen.fill(header, colors.header);
    if (rows.length > 0) pen.stroke(`M${x} ${y + headerHeight}h${width}`, { color: colors.border });
    pen.text(title, x + padding, y + 20, { color: titleColor(node, colors), size: fontSize, isBold: true });
    rows.forEach(({ mark, name, type, isChanged: isBold }, row) => {
      const base = y + headerHeight + row * rowHeight + 15;
      if (mark !== '') pen.text(mark, x + padding, base, { color: colors.faint, size: labelFontSize });
      const color = isBold ? colors.changed : colors.foreground;
      pen.text(name, x + padding + markWidth, base, { color, size: fontSize, isBold });
      if (type !== '') {
        pen.text(type, x + width - padding, base, { color: colors.faint, size: fontSize, anchor: 'end' });
      }
    });
  }
  pen.stroke(outline, {
    color: isChosen ? colors.chosen : borderColor(node, colors),
    width: isChosen || node.change ? Math.max(2.5, 2 / zoom) : 1,
    dash: node.table ? [] : [5, 4],
  });
}

function titleColor({ table, change }: GraphTable, colors: Colors): string {
  if (!table) return colors.missing;
  return change ? colors.changed : colors.foreground;
}

function borderColor({ table, change }: GraphTable, colors: Colors): string {
  if (!table) return colors.missing;
  return change ? colors.changed : colors.border;
}

/** The name alone, as large as the box allows. */
function paintName(pen: Pen, box: SceneBox, { colors, zoom, measure }: PaintOptions): void {
  const { x, y, width, height, node, title } = box;
  const fitting = (fontSize * (width - 2 * padding)) / measure(title, fontSize, true);
  const size = Math.min(overviewFontSize / zoom, fitting, height * 0.8);
  // Nobody reads smaller letters.
  if (size * zoom < 3) return;
  const color = titleColor(node, colors);
  pen.text(title, x + width / 2, y + height / 2 + size * 0.35, { color, size, isBold: true, anchor: 'middle' });
}

function paintLine(pen: Pen, line: SceneLine, isChosen: boolean, { colors, zoom }: PaintOptions): void {
  const { points, edge } = line;
  const color = isChosen ? colors.chosen : edge.isNew ? colors.changed : colors.foreground;
  const width = isChosen || edge.isNew ? Math.max(2, 1.5 / zoom) : Math.max(1, 0.6 / zoom);
  const opacity = isChosen || edge.isNew ? 1 : 0.65;
  pen.stroke(pathOf(points), { color, width, opacity });
  if (zoom < readableZoom || points.length < 2) return;
  const { isRequired, isUnique } = edge.key;
  const signs = [
    endSigns(points[0]!, points[1]!, { isMany: !isUnique, isOptional: true }),
    endSigns(points.at(-1)!, points.at(-2)!, { isMany: false, isOptional: !isRequired }),
  ].join('');
  pen.stroke(signs, { color, width: Math.max(1, width), opacity });
}

interface End {
  readonly isMany: boolean;
  readonly isOptional: boolean;
}

/** A crow's foot for many or a bar for one, and before it a circle for none or a bar for at least one. */
function endSigns(end: Point, next: Point, { isMany, isOptional }: End): string {
  const length = Math.hypot(next.x - end.x, next.y - end.y);
  const x = (next.x - end.x) / length;
  const y = (next.y - end.y) / length;
  const at = (along: number, aside: number): string =>
    `${end.x + along * x - aside * y} ${end.y + along * y + aside * x}`;
  const bar = (along: number): string => `M${at(along, -5)}L${at(along, 5)}`;
  const foot = `M${at(0, -5)}L${at(9, 0)}L${at(0, 5)}`;
  const circle = `M${at(10, 0)}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`;
  const near = isMany ? foot : bar(5);
  return near + (isOptional ? (isMany ? `M${at(13, 0)}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0` : circle) : bar(10));
}

/** A line with round corners. */
function pathOf(points: readonly Point[]): string {
  const [start, ...rest] = points;
  if (!start) return '';
  const parts = rest.map((corner, index) => {
    const before = points[index]!;
    const after = points[index + 2];
    if (!after) return `L${corner.x} ${corner.y}`;
    const into = towards(corner, before);
    const out = towards(corner, after);
    return `L${into.x} ${into.y}Q${corner.x} ${corner.y} ${out.x} ${out.y}`;
  });
  return `M${start.x} ${start.y}${parts.join('')}`;
}

/** The place where a round corner begins. */
function towards(corner: Point, { x, y }: Point): Point {
  const length = Math.hypot(x - corner.x, y - corner.y);
  const share = Math.min(cell / 2, length / 2) / Math.max(length, 1);
  return { x: corner.x + (x - corner.x) * share, y: corner.y + (y - corner.y) * share };
}

const roundRect = ({ x, y, width, height }: Rect, radius: number): string =>
  `M${x + radius} ${y}h${width - 2 * radius}q${radius} 0 ${radius} ${radius}v${height - 2 * radius}` +
  `q0 ${radius} -${radius} ${radius}h-${width - 2 * radius}q-${radius} 0 -${radius} -${radius}` +
  `v-${height - 2 * radius}q0 -${radius} ${radius} -${radius}z`;

const topOf = ({ x, y, width }: Rect): string =>
  `M${x} ${y + headerHeight}v-${headerHeight - cornerRadius}q0 -${cornerRadius} ${cornerRadius} -${cornerRadius}` +
  `h${width - 2 * cornerRadius}q${cornerRadius} 0 ${cornerRadius} ${cornerRadius}v${headerHeight - cornerRadius}z`;

/** The room around a picture. */
export const pictureMargin = clearance;
