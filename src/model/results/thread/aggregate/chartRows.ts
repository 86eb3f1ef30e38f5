import type { ChartAxis, ChartData, ChartQuery, ChartSeries } from '../../../../protocol/chart.ts';
import { epochOf, maxSeries } from '../../../../protocol/chartPlaces.ts';
import type { ProfileBar } from '../../../../protocol/profile.ts';
import type { Job } from '../../../job.ts';
import { nullClass, numberClass, roundingErrorAt, textClass } from '../compare.ts';
import { type RowsFile, scanInFileOrder, type ShownRows } from '../rowsFile.ts';
import { CellValue } from './cellValue.ts';
import { type ChartPoint, ChartPoints } from './chartPoints.ts';
import { groupRows } from './groupRows.ts';
import { NumberHistogram } from './numberHistogram.ts';
import { ValueTable } from './valueTable.ts';

type QueryOf<Kind> = Extract<ChartQuery, { readonly kind: Kind }>;

/** The cells of a screen, in which a line is as high as the chart. */
const lineCells = { columns: 2000, rows: 1 };
const scatterCells = { columns: 100, rows: 60 };
/** Series share the screen. */
const seriesShare = 4;
/** The points of more series are not kept. */
const maxKeptSeries = 100;
const seriesLimits = { maxValues: 10_000, maxBytes: 10_000_000 };
const maxLabelLength = 200;
const maxTimeLength = 35;

export async function chartRows(job: Job, file: RowsFile, shown: ShownRows, query: ChartQuery): Promise<ChartData> {
  switch (query.kind) {
    case 'groups':
      return chartGroups(job, file, shown, query);
    case 'points':
      return chartPoints(job, file, shown, query);
    case 'histogram':
      return chartHistogram(job, file, shown, query);
  }
}

interface GroupPoint extends Omit<ChartPoint, 'x'> {
  readonly x: CellValue;
  readonly series: CellValue | undefined;
  readonly json: string;
}

async function chartGroups(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  { x, series, figure, axis, maxLabels, isRanked }: QueryOf<'groups'>,
): Promise<ChartData> {
  const keys = series === undefined ? [x] : [x, { column: series }];
  const groups: GroupPoint[] = [];
  for (const { keys: values, figures } of await groupRows(job, file, shown, { keys, figures: [figure] })) {
    const bytes = Buffer.from(figures[0]!);
    const json = bytes.toString('latin1');
    // The least and the greatest value of a group may be a text.
    const y = /^[-\d]/.test(json) ? Number(json) : NaN;
    if (!Number.isFinite(y)) continue;
    groups.push({
      x: values[0]!,
      series: values[1],
      json,
      y,
      roundingError: roundingErrorAt(bytes, 0, bytes.length, y),
    });
  }
  const bySeries = Map.groupBy(groups, group => group.series);
  const drawn = new Set(greatest(bySeries, maxSeries));
  const seriesPoints = [...bySeries].filter(([value]) => drawn.has(value));
  if (axis !== 'category') {
    const lines = seriesPoints.map(([name, points]) => {
      const kept = new ChartPoints(lineCells);
      for (const point of points) kept.add({ ...point, x: placeOf(point.x, axis) });
      return { name, points: kept.points };
    });
    return pointsAnswer(lines, bySeries.size);
  }
  const byLabel = Map.groupBy(groups, group => group.x);
  const ranked = greatest(byLabel, maxLabels);
  const shownLabels = new Set(ranked);
  const labels = isRanked ? ranked : [...byLabel.keys()].filter(label => shownLabels.has(label));
  return {
    labels: labels.map(textOfKey),
    series: seriesPoints.map(([name, points]) => {
      const jsons = new Map(points.map(({ x: label, json }) => [label, json]));
      return seriesOf(name, { ys: labels.map(label => jsons.get(label) ?? null) });
    }),
    allLabels: byLabel.size,
    allSeries: bySeries.size,
  };
}

/** The keys with the greatest figures. The first of equal ones come first. */
function greatest<K>(groups: ReadonlyMap<K, readonly GroupPoint[]>, count: number): K[] {
  const sizes = [...groups].map(([key, points]) => ({
    key,
    size: points.reduce((sum, { y }) => sum + Math.abs(y), 0),
  }));
  const sorted = sizes.toSorted((one, other) => other.size - one.size);
  return sorted.slice(0, count).map(({ key }) => key);
}

async function chartPoints(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  { x, y, series, axis, isScatter }: QueryOf<'points'>,
): Promise<ChartData> {
  const { walker, slots } = file.createWalker([x, y, series ?? x]);
  const names = new ValueTable(seriesLimits);
  const cells = isScatter ? scatterCells : lineCells;
  const share = series === undefined ? 1 : seriesShare;
  const counts: number[] = [];
  const kept: ChartPoints[] = [];
  const value = new CellValue();
  await scanInFileOrder(job, file, shown, {
    walker,
    firstRow: 0,
    endRow: shown.rowCount,
    onRow: () => {
      value.read(walker, slots[1]!);
      if (!isNumber(value)) return;
      const { number, roundingError } = value;
      value.read(walker, slots[0]!);
      const place = placeOf(value, axis);
      if (Number.isNaN(place)) return;
      if (series !== undefined) value.read(walker, slots[2]!);
      const nth = series === undefined ? 0 : names.indexOf(value);
      if (nth === -1) return;
      counts[nth] = (counts[nth] ?? 0) + 1;
      if (nth >= maxKeptSeries) return;
      kept[nth] ??= new ChartPoints({ ...cells, columns: cells.columns / share });
      kept[nth].add({ x: place, y: number, roundingError });
    },
  });
  const longest = [...kept.keys()].toSorted((one, other) => counts[other]! - counts[one]!).slice(0, maxSeries);
  const drawn = longest.toSorted((one, other) => one - other);
  const lines = drawn.map(nth => ({ name: names.values[nth], points: kept[nth]!.points }));
  return pointsAnswer(lines, counts.length);
}

async function chartHistogram(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  { x }: QueryOf<'histogram'>,
): Promise<ChartData> {
  const { walker, slots } = file.createWalker([x]);
  const value = new CellValue();
  const histogram = new NumberHistogram();
  const onRow = (): void => {
    value.read(walker, slots[0]!);
    if (isNumber(value)) histogram.add(value.number, value.roundingError);
  };
  await scanInFileOrder(job, file, shown, { walker, firstRow: 0, endRow: shown.rowCount, onRow });
  const { bars } = histogram;
  return {
    labels: bars.map(labelOfBar),
    series: [{ ys: bars.map(({ count }) => String(count)) }],
    allLabels: bars.length,
    allSeries: 1,
  };
}

/** The first and the last integer of a bar, or the two ends of a bar of other numbers. */
function labelOfBar({ from, to }: ProfileBar, nth: number, bars: readonly ProfileBar[]): string {
  if (from === to) return from;
  return `${from} – ${/^-?\d+$/.test(to) ? to : (bars[nth + 1]?.from ?? to)}`;
}

interface Line {
  readonly name: CellValue | undefined;
  readonly points: readonly ChartPoint[];
}

function pointsAnswer(lines: readonly Line[], allSeries: number): ChartData {
  const series = lines.map(({ name, points }) =>
    seriesOf(name, { xs: points.map(({ x }) => x), ys: points.map(exactText) }),
  );
  return { series, allLabels: 0, allSeries };
}

const exactText = ({ y, roundingError }: ChartPoint): string =>
  roundingError === 0 ? String(y) : String(BigInt(y) + BigInt(roundingError));

const seriesOf = (name: CellValue | undefined, figures: Omit<ChartSeries, 'name'>): ChartSeries =>
  name ? { name: textOfKey(name), ...figures } : figures;

const textOfKey = (value: CellValue): string | null =>
  value.storageClass === nullClass ? null : value.shown(maxLabelLength);

/** True and false are no numbers. */
const isNumber = ({ storageClass, isWord }: CellValue): boolean => storageClass === numberClass && !isWord;

/** NaN if a value has no place on the axis. */
function placeOf(value: CellValue, axis: ChartAxis): number {
  if (axis === 'number') return isNumber(value) ? value.number : NaN;
  const { bytes, first, past } = value;
  if (value.storageClass !== textClass || past - first > maxTimeLength) return NaN;
  return epochOf(Buffer.from(bytes.buffer, bytes.byteOffset + first, past - first).toString('latin1'));
}
