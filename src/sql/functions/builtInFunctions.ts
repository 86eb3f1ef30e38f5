import { keyOf } from '../text/names.ts';
import { aggregateFunctions } from './aggregateFunctions.ts';
import { coreFunctions } from './coreFunctions.ts';
import { dateFunctions } from './dateFunctions.ts';
import { fts5Functions } from './fts5Functions.ts';
import type { FunctionRow, ResultType } from './functionRow.ts';
import { jsonAggregates, jsonFunctions, jsonTables } from './jsonFunctions.ts';
import { mathFunctions } from './mathFunctions.ts';
import { windowFunctions } from './windowFunctions.ts';

/** `auxiliary` functions work in full-text queries only, `table` functions in FROM, `window` functions before OVER. */
export type FunctionKind = 'scalar' | 'aggregate' | 'window' | 'auxiliary' | 'table';

type FunctionFamily = 'core' | 'aggregate' | 'window' | 'date' | 'math' | 'json' | 'fts5';

interface Parameter {
  readonly name: string;
  readonly optional: boolean;
  /** Whether it takes any number of arguments, also none. Only the last parameter may be repeated. */
  readonly repeated: boolean;
}

export interface Signature {
  readonly kind: FunctionKind;
  readonly parameters: readonly Parameter[];
  readonly result: ResultType;
  /** One sentence. */
  readonly description: string;
  /** The call as documentation writes it: `substr(x, start[, length])`. */
  readonly label: string;
}

export interface BuiltInFunction {
  /** In lower case. SQLite ignores case. */
  readonly name: string;
  readonly family: FunctionFamily;
  /** Several where the number of arguments changes the kind, as with max(x) and max(x, y). */
  readonly signatures: readonly Signature[];
}

interface FunctionTable {
  readonly family: FunctionFamily;
  readonly kind: FunctionKind;
  readonly rows: readonly FunctionRow[];
}

const tables: readonly FunctionTable[] = [
  { family: 'core', kind: 'scalar', rows: coreFunctions },
  { family: 'aggregate', kind: 'aggregate', rows: aggregateFunctions },
  { family: 'window', kind: 'window', rows: windowFunctions },
  { family: 'date', kind: 'scalar', rows: dateFunctions },
  { family: 'math', kind: 'scalar', rows: mathFunctions },
  { family: 'json', kind: 'scalar', rows: jsonFunctions },
  { family: 'json', kind: 'aggregate', rows: jsonAggregates },
  { family: 'json', kind: 'table', rows: jsonTables },
  { family: 'fts5', kind: 'auxiliary', rows: fts5Functions },
];

const functionsByName = readTables();

/** All functions of SQLite, sorted by name. */
export const builtInFunctions: readonly BuiltInFunction[] = [...functionsByName.values()].toSorted((a, b) =>
  a.name < b.name ? -1 : 1,
);

/** Ignores case. Undefined when SQLite has no such function. */
export function builtInFunction(name: string): BuiltInFunction | undefined {
  return functionsByName.get(keyOf(name));
}

/** The smallest and the greatest number of arguments that a signature takes. */
export function argumentCounts({ parameters }: Signature): readonly [min: number, max: number] {
  const min = parameters.filter(({ optional, repeated }) => !optional && !repeated).length;
  const max = parameters.some(({ repeated }) => repeated) ? Infinity : parameters.length;
  return [min, max];
}

function readTables(): Map<string, BuiltInFunction> {
  const functions = new Map<string, BuiltInFunction>();
  for (const { family, kind, rows } of tables) {
    for (const [name, parameterList, result, description] of rows) {
      const parameters = parameterList === '' ? [] : parameterList.split(', ').map(parameterOf);
      const signature = { kind, parameters, result, description, label: labelOf(name, parameters) };
      const earlier = functions.get(name);
      functions.set(name, {
        name,
        family: earlier?.family ?? family,
        signatures: [...(earlier?.signatures ?? []), signature],
      });
    }
  }
  return functions;
}

function parameterOf(text: string): Parameter {
  return {
    name: text.replace(/\?$|\.\.\.$/, ''),
    optional: text.endsWith('?'),
    repeated: text.endsWith('...'),
  };
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
