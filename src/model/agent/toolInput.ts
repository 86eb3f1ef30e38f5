import { arrayOf, asBoolean, asCount, asNumber, asRecord, asString, type Decoder, refine } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import { isReal, type SqlParameter } from '../../wire/values.ts';
import type { AgentTool, FieldType, ToolField, ToolInput } from './agentTool.ts';

/** More characters of a text or more values of a list are refused. */
const maxTextLength = 200_000;
const maxListLength = 1000;

const asBoundedText = refine(asString, text => text.length <= maxTextLength && text.isWellFormed());

/** A value that does not fit is undefined: null is NULL. */
const asParameter: Decoder<SqlParameter> = value => {
  if (value === null || typeof value === 'bigint') return value;
  if (isReal(value)) return value;
  return asBoolean(value) ?? asNumber(value) ?? asBoundedText(value);
};

interface FieldKind {
  readonly decode: Decoder<unknown>;
  readonly expected: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const scalars = ['string', 'number', 'boolean', 'null'];

const kinds: Readonly<Record<FieldType, FieldKind>> = {
  text: {
    decode: asBoundedText,
    expected: `a text of at most ${maxTextLength} characters`,
    schema: { type: 'string' },
  },
  count: {
    decode: asCount,
    expected: 'a whole number from 0 on',
    schema: { type: 'integer', minimum: 0 },
  },
  texts: {
    decode: arrayOf(asBoundedText, maxListLength),
    expected: `a list of at most ${maxListLength} texts`,
    schema: { type: 'array', items: { type: 'string' } },
  },
  values: {
    decode: arrayOf(asParameter, maxListLength),
    expected: `a list of at most ${maxListLength} values, each null, true, false, a number or a text`,
    schema: { type: 'array', items: { type: scalars } },
  },
};

/** The input as the tool declares it. Throws `bad_input` for anything else. */
export function decodeInput({ name, fields }: Pick<AgentTool, 'name' | 'fields'>, input: unknown): ToolInput {
  const record = asRecord(input ?? {});
  if (!record) throw misuse('bad_input', `The input of ${name} must be an object.`);
  const unknown = Object.keys(record).find(key => !Object.hasOwn(fields, key));
  if (unknown !== undefined) {
    const known = Object.keys(fields).join(', ');
    throw misuse('bad_input', `${name} has no field "${unknown.slice(0, 100)}". Its fields: ${known || 'none'}.`);
  }
  const decoded = Object.entries(fields).map(([key, field]) => [key, decodeField(key, field, record[key])] as const);
  return Object.fromEntries(decoded) as ToolInput;
}

function decodeField(key: string, { type, isRequired, choices }: ToolField, value: unknown): unknown {
  if (value === undefined || (value === null && !isRequired)) {
    if (isRequired) throw misuse('bad_input', `The field "${key}" is missing.`);
    return undefined;
  }
  const decoded = kinds[type].decode(value);
  if (decoded === undefined) throw misuse('bad_input', `The field "${key}" must be ${kinds[type].expected}.`);
  if (choices && !choices.includes(decoded as string)) {
    throw misuse('bad_input', `The field "${key}" must be one of ${choices.join(', ')}.`);
  }
  return decoded;
}

export function inputSchema({ fields }: Pick<AgentTool, 'fields'>): Readonly<Record<string, unknown>> {
  const properties = Object.entries(fields).map(([key, { type, description, choices }]) => [
    key,
    { ...kinds[type].schema, description, ...(choices && { enum: choices }) },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as unknown,
    required: Object.keys(fields).filter(key => fields[key]?.isRequired),
    additionalProperties: false,
  };
}
