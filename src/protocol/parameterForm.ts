import { arrayOf, asBoolean, asCount, asString, type Infer, nullable, object, oneOf } from '../base/decode.ts';

/** The form of the results panel in which the user enters the values of a statement. */

export const parameterTypes = ['text', 'integer', 'real', 'boolean', 'null'] as const;
export type ParameterType = (typeof parameterTypes)[number];

export const decodeTypedValue = object({ type: oneOf(parameterTypes), text: asString });
/** A value as the user typed it, with the type to bind it as. */
export type TypedValue = Infer<typeof decodeTypedValue>;

const decodeFormField = object({
  /** The name of the parameter, or else its number and the column that it belongs to. */
  name: asString,
  /** The placeholder and the text around it. */
  context: asString,
  type: oneOf(parameterTypes),
  /** Whether the type is that of a column. Otherwise the page guesses it by the text. */
  hasColumnType: asBoolean,
  /** The last value. */
  value: nullable(decodeTypedValue),
});

export const decodeParameterForm = object({
  /** Another form has another id. The same form is sent again when columns become known. */
  id: asString,
  title: asString,
  fields: arrayOf(decodeFormField),
  /** The last sets of values, the newest first. Null stands for a value that was not remembered. */
  recent: arrayOf(arrayOf(nullable(decodeTypedValue))),
});
export type ParameterFormView = Infer<typeof decodeParameterForm>;

export const decodeFieldFault = object({ index: asCount, message: asString });
export type ParameterFault = Infer<typeof decodeFieldFault>;
