import { sqlBlock, markdownText } from '../../base/markdown.ts';
import { keyOf } from '../text/names.ts';
import { coreFunctions } from './coreFunctions.ts';
import { jsonAggregates, jsonFunctions, jsonTables } from './jsonFunctions.ts';

/** The storage class of a result. `number` is integer or real, and `any` depends on the arguments. */
type ResultType = 'integer' | 'real' | 'number' | 'text' | 'blob' | 'any';

/**
 * One signature of a function. The parameters are written `required, optional?, repeated...`; a repeated parameter may be
 * missing. The description is one sentence.
 */
export type FunctionRow = readonly [name: string, parameters: string, result: ResultType, description: string];

/** These functions take a group of rows. OVER can follow each of them. */
const aggregateFunctions: readonly FunctionRow[] = [
  ['avg', 'x', 'real', 'The mean of all values that are not NULL, or NULL when there are none.'],
  ['count', '', 'integer', 'The number of rows, written count(*).'],
  ['count', 'x', 'integer', 'The number of rows in which the argument is not NULL.'],
  ['group_concat', 'x, separator?', 'text', 'All values but NULL as one text, with a comma or a separator between.'],
  ['max', 'x', 'any', 'The greatest value of the group, or NULL when all are NULL.'],
  ['median', 'x', 'number', 'The middle value of the group, or the mean of the two in the middle.'],
  ['min', 'x', 'any', 'The least value of the group that is not NULL.'],
  ['percentile', 'x, percent', 'real', 'The value below which a percentage (0–100) of the group lies, interpolated.'],
  ['percentile_cont', 'x, fraction', 'real', 'The value below which a fraction (0–1) of the group lies, interpolated.'],
  ['percentile_disc', 'x, fraction', 'number', 'The value of the group itself that lies at a fraction from 0 to 1.'],
  ['string_agg', 'x, separator', 'text', 'The same as group_concat with a separator.'],
  ['sum', 'x', 'number', 'The sum of all values that are not NULL, or NULL if there are none; integers may overflow.'],
  ['total', 'x', 'real', 'The sum of all values that are not NULL, always a real number, 0.0 when there are none.'],
];

const dateFunctions: readonly FunctionRow[] = [
  ['current_date', '', 'text', 'The current date in UTC as YYYY-MM-DD, written without parentheses.'],
  ['current_time', '', 'text', 'The current time in UTC as HH:MM:SS, written without parentheses.'],
  ['current_timestamp', '', 'text', 'The current date and time in UTC as YYYY-MM-DD HH:MM:SS, without parentheses.'],
  ['date', 'time?, modifier...', 'text', 'The date as YYYY-MM-DD after the modifiers; of the current time by default.'],
  ['datetime', 'time?, modifier...', 'text', 'Date and time as YYYY-MM-DD HH:MM:SS, after the modifiers.'],
  ['julianday', 'time?, modifier...', 'real', 'The days since noon in Greenwich on 24 November 4714 BC.'],
  ['strftime', 'format, time?, modifier...', 'text', 'The time written in a format such as %Y-%m-%d %H:%M:%f.'],
  ['time', 'time?, modifier...', 'text', 'The time of day as HH:MM:SS, after the modifiers.'],
  ['timediff', 'a, b', 'text', 'The difference that leads from b to a, as (+|-)YYYY-MM-DD HH:MM:SS.SSS.'],
  ['unixepoch', 'time?, modifier...', 'integer', 'The seconds since 1970-01-01 00:00:00 UTC.'],
];

/** Most take the full-text table as their first argument, and work only in a query with MATCH on it. */
const fts5Functions: readonly FunctionRow[] = [
  ['bm25', 'table, weight...', 'real', 'How well a row fits the query, lower being better; a weight for each column.'],
  ['fts5_get_locale', 'table, column', 'text', 'The locale with which a value of the column was stored, or NULL.'],
  ['fts5_insttoken', 'phrase', 'text', 'A query whose last token also matches as a prefix, while the user types it.'],
  ['fts5_locale', 'locale, text', 'blob', 'Text together with the locale in which the tokenizer shall read it.'],
  ['fts5_source_id', '', 'text', 'The check-in of the source that FTS5 was built from.'],
  ['highlight', 'table, column, before, after', 'text', 'The text of a column with each match between two marks.'],
  [
    'snippet',
    'table, column, before, after, ellipsis, tokens',
    'text',
    'A piece of at most that many tokens around the matches, each between two marks; column -1 lets it choose.',
  ],
];

const mathFunctions: readonly FunctionRow[] = [
  ['acos', 'x', 'real', 'The angle in radians whose cosine is x.'],
  ['acosh', 'x', 'real', 'The number whose hyperbolic cosine is x.'],
  ['asin', 'x', 'real', 'The angle in radians whose sine is x.'],
  ['asinh', 'x', 'real', 'The number whose hyperbolic sine is x.'],
  ['atan', 'x', 'real', 'The angle in radians whose tangent is x.'],
  ['atan2', 'y, x', 'real', 'The angle in radians from the x axis to the point (x, y), in the correct quadrant.'],
  ['atanh', 'x', 'real', 'The number whose hyperbolic tangent is x.'],
  ['ceil', 'x', 'number', 'The smallest whole number that is not below x.'],
  ['ceiling', 'x', 'number', 'Another name for ceil.'],
  ['cos', 'x', 'real', 'The cosine of an angle in radians.'],
  ['cosh', 'x', 'real', 'The hyperbolic cosine of x.'],
  ['degrees', 'radians', 'real', 'Converts an angle from radians to degrees.'],
  ['exp', 'x', 'real', 'The number e to the power of x.'],
  ['floor', 'x', 'number', 'The greatest whole number that is not above x.'],
  ['ln', 'x', 'real', 'The natural logarithm of x.'],
  ['log', 'x', 'real', 'The logarithm of x to the base 10.'],
  ['log', 'base, x', 'real', 'The logarithm of x to the given base.'],
  ['log10', 'x', 'real', 'The logarithm of x to the base 10.'],
  ['log2', 'x', 'real', 'The logarithm of x to the base 2.'],
  ['mod', 'x, y', 'real', 'The remainder of x divided by y, also for fractions.'],
  ['pi', '', 'real', 'An approximation of π.'],
  ['pow', 'x, y', 'real', 'The number x to the power of y.'],
  ['power', 'x, y', 'real', 'Another name for pow.'],
  ['radians', 'degrees', 'real', 'Converts an angle from degrees to radians.'],
  ['sin', 'x', 'real', 'The sine of an angle in radians.'],
  ['sinh', 'x', 'real', 'The hyperbolic sine of x.'],
  ['sqrt', 'x', 'real', 'The square root of x, or NULL for a negative number.'],
  ['tan', 'x', 'real', 'The tangent of an angle in radians.'],
  ['tanh', 'x', 'real', 'The hyperbolic tangent of x.'],
  ['trunc', 'x', 'number', 'The whole part of x, rounded toward zero.'],
];

/** These functions need OVER. */
const windowFunctions: readonly FunctionRow[] = [
  ['cume_dist', '', 'real', 'The share of rows in the partition that come before or with this one.'],
  ['dense_rank', '', 'integer', 'The rank of the row among its peers without gaps, from 1.'],
  ['first_value', 'x', 'any', 'The argument in the first row of the frame.'],
  ['lag', 'x, offset?, default?', 'any', 'The argument offset rows earlier, by default one, or else the default.'],
  ['last_value', 'x', 'any', 'The argument in the last row of the frame.'],
  ['lead', 'x, offset?, default?', 'any', 'The argument offset rows later, by default one, or else the default.'],
  ['nth_value', 'x, n', 'any', 'The argument in the n-th row of the frame, or NULL when it has fewer rows.'],
  ['ntile', 'n', 'integer', 'The number of the group when the partition is cut into n groups as even as possible.'],
  ['percent_rank', '', 'real', 'The rank of the row as a share of the partition, from 0.0 to 1.0.'],
  ['rank', '', 'integer', 'The number of the first peer of the row within the partition, so ranks have gaps.'],
  ['row_number', '', 'integer', 'The number of the row within the partition, from 1.'],
];

/** `auxiliary` functions work in full-text queries only, `table` functions in FROM, `window` functions before OVER. */
export type FunctionKind = 'scalar' | 'aggregate' | 'window' | 'auxiliary' | 'table';

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
  /** Several where the number of arguments changes the kind, as with max(x) and max(x, y). */
  readonly signatures: readonly Signature[];
}

const tables: readonly { readonly kind: FunctionKind; readonly rows: readonly FunctionRow[] }[] = [
  { kind: 'scalar', rows: coreFunctions },
  { kind: 'aggregate', rows: aggregateFunctions },
  { kind: 'window', rows: windowFunctions },
  { kind: 'scalar', rows: dateFunctions },
  { kind: 'scalar', rows: mathFunctions },
  { kind: 'scalar', rows: jsonFunctions },
  { kind: 'aggregate', rows: jsonAggregates },
  { kind: 'table', rows: jsonTables },
  { kind: 'auxiliary', rows: fts5Functions },
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

/** The signatures of a function that take a number of arguments. */
export const fittingSignatures = (name: string, count: number): readonly Signature[] =>
  (builtInFunction(name)?.signatures ?? []).filter(signature => {
    const [min, max] = argumentCounts(signature);
    return count >= min && count <= max;
  });

function readTables(): Map<string, BuiltInFunction> {
  const functions = new Map<string, BuiltInFunction>();
  for (const { kind, rows } of tables) {
    for (const [name, parameterList, result, description] of rows) {
      const parameters = parameterList === '' ? [] : parameterList.split(', ').map(parameterOf);
      const signature = { kind, parameters, result, description, label: labelOf(name, parameters) };
      functions.set(name, { name, signatures: [...(functions.get(name)?.signatures ?? []), signature] });
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

/** The signatures of a function with their descriptions, as Markdown. */
export function functionDocumentation({ signatures }: BuiltInFunction): string {
  return signatures
    .flatMap(({ label, result, description }) => [sqlBlock(`${label} → ${result}`), markdownText(description)])
    .join('\n\n');
}
