import { innermostNode, rangeOf } from '../parser/nodeRange.ts';
import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import { type Finding, type Fix, type FixContext, quickFix, replacement } from './fix.ts';

/** Functions of other databases without arguments, with SQLite's text for the whole call. */
const wholeCalls: Readonly<Record<string, readonly string[]>> = {
  now: ["datetime('now')", 'current_timestamp'],
  getdate: ["datetime('now')", 'current_timestamp'],
  sysdate: ["datetime('now')", 'current_timestamp'],
  curdate: ["date('now')", 'current_date'],
  curtime: ["time('now')", 'current_time'],
  rand: ['random()'],
};

/** Functions of other databases, with SQLite's function that takes the same arguments. */
const otherNames: Readonly<Record<string, string>> = {
  len: 'length',
  ucase: 'upper',
  lcase: 'lower',
  nvl: 'ifnull',
  chr: 'char',
  ascii: 'unicode',
  greatest: 'max',
  least: 'min',
  listagg: 'string_agg',
  array_agg: 'json_group_array',
};

/** Offers SQLite's counterpart of a function of another database. */
export function foreignFunctionFixes(finding: Finding, { text, tree }: FixContext): Fix[] {
  const name = unquoted(text.slice(finding.start, finding.end));
  const isUpper = name !== name.toLowerCase() && name === name.toUpperCase();
  const inCase = (written: string): string =>
    isUpper
      ? written.replaceAll(/'[^']*'|[a-z]+/g, part => (part.startsWith("'") ? part : part.toUpperCase()))
      : written;
  const call = innermostNode(tree, finding)?.parent?.node;
  const isEmptyCall = call?.type === 'FunctionCallExpr' && !call.args?.length && !call.filterOver;
  const [range, candidates] = isEmptyCall
    ? [rangeOf(call), wholeCalls[keyOf(name)] ?? []]
    : [finding, [otherNames[keyOf(name)]].filter(other => other !== undefined)];
  return candidates.map((candidate, index) => {
    const written = inCase(candidate);
    return quickFix(finding, `Change to ${written}`, [replacement(range, written)], index === 0);
  });
}
