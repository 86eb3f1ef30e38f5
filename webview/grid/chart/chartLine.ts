import { type ChartType, chartTypes } from '../../../src/protocol/chart.ts';
import { type FigureKind, figureKinds, type Period, periods } from '../../../src/protocol/groups.ts';
import { type ChartChoice, type ChartColumn, fittingChoice } from './chartChoice.ts';

/** The text after `-- @chart`: the type, and terms as in `bar x=city y=sum(total) series="order year" scale=log`. */

const term = /(\w+)=(?:(\w+)\()?(?:"((?:[^"]|"")*)"|([^\s"()]*))/g;

/** Undefined if the line names no type, or a column that the result does not have. */
export function readChartLine(line: string, columns: readonly ChartColumn[]): ChartChoice | undefined {
  const type = oneOf<ChartType>(chartTypes, /^\s*(\w+)/.exec(line)?.[1]);
  const terms = new Map(Array.from(line.matchAll(term), match => [match[1]!, termOf(match, columns)] as const));
  const x = terms.get('x');
  const y = terms.get('y');
  const series = terms.get('series');
  const isUnknown = [x, y, series].some(read => read?.column === -1);
  if (!type || !x || x.column === undefined || isUnknown) return undefined;
  const choice: ChartChoice = {
    type,
    x: x.column,
    period: oneOf<Period>(periods, x.call),
    figure: oneOf<FigureKind>(figureKinds, y?.call),
    y: y?.column,
    series: series?.column,
    isLog: terms.get('scale')?.name === 'log',
  };
  return fittingChoice(choice, columns);
}

interface Term {
  readonly call: string | undefined;
  readonly name: string;
  /** Undefined without a name, and -1 if there is no such column. */
  readonly column: number | undefined;
}

function termOf([, , call, quoted, bare = '']: RegExpExecArray, columns: readonly ChartColumn[]): Term {
  const name = quoted?.replaceAll('""', '"') ?? bare;
  const lower = name.toLowerCase();
  const exact = columns.findIndex(column => column.name === name);
  const column = exact === -1 ? columns.findIndex(other => other.name.toLowerCase() === lower) : exact;
  return { call, name, column: name === '' ? undefined : column };
}

const oneOf = <T extends string>(words: readonly T[], word: string | undefined): T | undefined =>
  words.find(other => other.toLowerCase() === word?.toLowerCase());

export function chartLineOf(choice: ChartChoice, columns: readonly ChartColumn[]): string {
  const { type, x, period, figure, y, series, isLog } = choice;
  const nameOf = (column: number | undefined): string => quotedName(columns[column ?? -1]?.name ?? '');
  const words = [type, `x=${call(period, nameOf(x))}`];
  if (figure !== undefined || y !== undefined) words.push(`y=${call(figure, y === undefined ? '' : nameOf(y))}`);
  if (series !== undefined) words.push(`series=${nameOf(series)}`);
  if (isLog) words.push('scale=log');
  return words.join(' ');
}

/** Line breaks would end the comment. */
const quotedName = (name: string): string =>
  /^[^\s"()]+$/.test(name) ? name : `"${name.replaceAll('"', '""').replaceAll(/[\r\n]/g, ' ')}"`;

const call = (name: string | undefined, argument: string): string => (name ? `${name}(${argument})` : argument);
