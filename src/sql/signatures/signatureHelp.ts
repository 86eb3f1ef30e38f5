import { argumentCounts, builtInFunction, type FunctionKind, type Signature } from '../functions/builtInFunctions.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import type { TextRange } from '../text/textRange.ts';
import { callAt, type FunctionCall, type InsertRow } from './callAt.ts';

/** The parameters of a call, or of a row of an INSERT. */
interface SignatureText {
  readonly label: string;
  readonly documentation: string;
  /** The ranges of the parameters in the label. */
  readonly parameters: readonly TextRange[];
}

interface SignatureHelp {
  readonly signatures: readonly SignatureText[];
  readonly activeSignature: number;
  /** Beyond the last parameter if there are too many arguments. */
  readonly activeParameter: number;
}

/** Nobody writes larger statements by hand, and each keystroke reads the statement up to the cursor. */
const maxStatementLength = 256 * 1024;

/** The signatures of the call or of the INSERT row around `offset`. It needs no tree, because the statement is half-typed. */
export function signatureHelpAt(statement: string, offset: number, schema: TableLookup): SignatureHelp | undefined {
  if (statement.length > maxStatementLength) return undefined;
  const call = callAt(statement, offset);
  if (!call) return undefined;
  return call.kind === 'function' ? functionHelp(call) : rowHelp(call, schema);
}

function functionHelp({ name, argumentIndex, argumentCount }: FunctionCall): SignatureHelp | undefined {
  const { signatures } = builtInFunction(name) ?? { signatures: [] };
  const counts = signatures.map(argumentCounts);
  const exact = counts.findIndex(([min, max]) => argumentCount >= min && argumentCount <= max);
  // A call that is not complete yet fits every signature with enough parameters.
  const active = exact === -1 ? counts.findIndex(([, max]) => argumentCount <= max) : exact;
  const activeSignature = active === -1 ? signatures.length - 1 : active;
  const signature = signatures[activeSignature];
  if (!signature) return undefined;
  const { parameters } = signature;
  const isRepeated = parameters.at(-1)?.repeated === true;
  return {
    signatures: signatures.map(signatureText),
    activeSignature,
    activeParameter: isRepeated ? Math.min(argumentIndex, parameters.length - 1) : argumentIndex,
  };
}

const notes: Readonly<Partial<Record<FunctionKind, string>>> = {
  aggregate: 'Takes a group of rows.',
  window: 'Needs OVER.',
  auxiliary: 'Only in a full-text query.',
};

function signatureText({ label, kind, description, parameters }: Signature): SignatureText {
  let end = label.indexOf('(') + 1;
  const ranges = parameters.map(({ name }) => {
    // A repeated parameter may be written as an ellipsis.
    const start = label.indexOf(name, end) === -1 ? label.indexOf('…', end) : label.indexOf(name, end);
    end = label.startsWith(name, start) ? start + name.length : start + 1;
    return { start, end };
  });
  const note = notes[kind];
  return { label, documentation: note ? `${description} ${note}` : description, parameters: ranges };
}

/** The columns that the values of a row go into. */
function rowHelp({ table, columns, argumentIndex }: InsertRow, schema: TableLookup): SignatureHelp | undefined {
  const known = schema.table(table)?.columns ?? [];
  const names = columns ?? known.filter(({ generated }) => !generated).map(({ name }) => name);
  if (names.length === 0) return undefined;
  let label = `${table}(`;
  const parameters = names.map((name, index) => {
    if (index > 0) label += ', ';
    const start = label.length;
    const type = known.find(column => isSameName(column.name, name))?.type ?? '';
    label += type === '' ? name : `${name} ${type}`;
    return { start, end: label.length };
  });
  const documentation = `The columns of the row, in the order of its values.`;
  return {
    signatures: [{ label: `${label})`, documentation, parameters }],
    activeSignature: 0,
    activeParameter: argumentIndex,
  };
}
