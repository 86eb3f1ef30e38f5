import { aggregateFunctions } from './aggregateFunctions.ts';
import { coreFunctions } from './coreFunctions.ts';
import { dateFunctions } from './dateFunctions.ts';
import type { CatalogueRow, ResultType } from './functionRow.ts';
import { fts5Functions } from './fts5Functions.ts';
import { jsonAggregates, jsonFunctions, jsonTables } from './jsonFunctions.ts';
import { mathFunctions } from './mathFunctions.ts';
import { windowFunctions } from './windowFunctions.ts';

export type { ResultType } from './functionRow.ts';

/** Where a function may stand: `auxiliary` belongs to a full-text query, `table` in FROM, `window` before OVER only. */
export type FunctionKind = 'scalar' | 'aggregate' | 'window' | 'auxiliary' | 'table';

export type FunctionFamily = 'core' | 'aggregate' | 'window' | 'date' | 'math' | 'json' | 'fts5';

export interface Parameter {
  readonly name: string;
  readonly optional: boolean;
  /** May come any number of times, also never. Only the last one does. */
  readonly repeated: boolean;
}

export interface Signature {
  readonly kind: FunctionKind;
  readonly parameters: readonly Parameter[];
  readonly result: ResultType;
  /** One sentence. */
  readonly description: string;
  /** How it is written, for people: `substr(x, start[, length])`. */
  readonly label: string;
}

export interface CatalogueFunction {
  /** In lower case; SQLite reads names in any case. */
  readonly name: string;
  readonly family: FunctionFamily;
  /** More than one where the number of arguments changes what the function is, as with max(x) and max(x, y). */
  readonly signatures: readonly Signature[];
}

const sources: readonly (readonly [FunctionFamily, FunctionKind, readonly CatalogueRow[]])[] = [
  ['core', 'scalar', coreFunctions],
  ['aggregate', 'aggregate', aggregateFunctions],
  ['window', 'window', windowFunctions],
  ['date', 'scalar', dateFunctions],
  ['math', 'scalar', mathFunctions],
  ['json', 'scalar', jsonFunctions],
  ['json', 'aggregate', jsonAggregates],
  ['json', 'table', jsonTables],
  ['fts5', 'auxiliary', fts5Functions],
];

const byName = collect();

/** Every function that SQLite brings along, in the order of their names. */
export const catalogue: readonly CatalogueFunction[] = [...byName.values()].toSorted((a, b) =>
  a.name < b.name ? -1 : 1,
);

/** The function with a name in any case, or undefined when SQLite brings none. */
export function catalogueFunction(name: string): CatalogueFunction | undefined {
  return byName.get(name.toLowerCase());
}

/** The least and the greatest number of arguments that a signature takes. */
export function argumentCounts({ parameters }: Signature): readonly [least: number, most: number] {
  const least = parameters.filter(({ optional, repeated }) => !optional && !repeated).length;
  return [least, parameters.some(({ repeated }) => repeated) ? Infinity : parameters.length];
}

function collect(): Map<string, CatalogueFunction> {
  const found = new Map<string, CatalogueFunction>();
  for (const [family, kind, rows] of sources) {
    for (const [name, written, result, description] of rows) {
      const parameters = written === '' ? [] : written.split(', ').map(parameterOf);
      const signature = { kind, parameters, result, description, label: labelOf(name, parameters) };
      const earlier = found.get(name);
      found.set(name, {
        name,
        family: earlier?.family ?? family,
        signatures: [...(earlier?.signatures ?? []), signature],
      });
    }
  }
  return found;
}

function parameterOf(written: string): Parameter {
  const optional = written.endsWith('?');
  const repeated = written.endsWith('...');
  return { name: written.replace(/\?$|\.\.\.$/, ''), optional, repeated };
}

function labelOf(name: string, parameters: readonly Parameter[]): string {
  if (name.startsWith('->')) return `${parameters[0]?.name} ${name} ${parameters[1]?.name}`;
  if (name.startsWith('current_')) return name;
  if (name === 'count' && parameters.length === 0) return 'count(*)';
  let label = '';
  for (const { name: parameter, optional, repeated } of parameters) {
    const separator = label === '' ? '' : ', ';
    if (repeated) label += `${separator}${parameter === 'more' ? '' : parameter}…`;
    else label += optional ? `[${separator}${parameter}]` : `${separator}${parameter}`;
  }
  return `${name}(${label})`;
}
