import type { FunctionRow } from './builtInFunctions.ts';

export const jsonFunctions: readonly FunctionRow[] = [
  ['->', 'json, path', 'text', 'The element at a path, a key or an index as JSON text; an operator.'],
  ['->>', 'json, path', 'any', 'The element at a path, a key or an index as an SQL value; an operator.'],
  ['json', 'json', 'text', 'Checks JSON and returns it as text without needless spaces.'],
  ['json_array', 'value...', 'text', 'A JSON array of the arguments.'],
  ['json_array_insert', 'json, path, value, more...', 'text', 'JSON with values inserted before elements of arrays.'],
  ['json_array_length', 'json, path?', 'integer', 'The length of an array, 0 for other values, NULL for no such path.'],
  ['json_error_position', 'json', 'integer', 'The position of the first fault in JSON, counted from 1, or 0 for none.'],
  ['json_extract', 'json, path, more...', 'any', 'The element at a path as an SQL value; several give a JSON array.'],
  ['json_insert', 'json, path, value, more...', 'text', 'JSON with missing values added.'],
  ['json_object', 'label, value, more...', 'text', 'A JSON object of alternating labels and values.'],
  ['json_patch', 'json, patch', 'text', 'JSON changed by a merge patch as in RFC 7396; null removes a member.'],
  ['json_pretty', 'json, indent?', 'text', 'JSON formatted for people, indented by four spaces by default.'],
  ['json_quote', 'value', 'text', 'An SQL number or text as JSON.'],
  ['json_remove', 'json, path...', 'text', 'JSON without the elements at the paths.'],
  ['json_replace', 'json, path, value, more...', 'text', 'JSON with existing values replaced.'],
  ['json_set', 'json, path, value, more...', 'text', 'JSON with values replaced, or added where they are missing.'],
  ['json_type', 'json, path?', 'text', 'The type of a value: null, true, false, integer, real, text, array or object.'],
  ['json_valid', 'json, flags?', 'integer', 'Whether a value is well-formed JSON; flags admit JSON5 and JSONB too.'],
  ['jsonb', 'json', 'blob', 'Checks JSON and returns it in the binary form JSONB.'],
  ['jsonb_array', 'value...', 'blob', 'Like json_array, in the binary form JSONB.'],
  ['jsonb_array_insert', 'json, path, value, more...', 'blob', 'Like json_array_insert, in the binary form JSONB.'],
  ['jsonb_extract', 'json, path, more...', 'any', 'Like json_extract, with arrays and objects as JSONB.'],
  ['jsonb_insert', 'json, path, value, more...', 'blob', 'Like json_insert, in the binary form JSONB.'],
  ['jsonb_object', 'label, value, more...', 'blob', 'Like json_object, in the binary form JSONB.'],
  ['jsonb_patch', 'json, patch', 'blob', 'Like json_patch, in the binary form JSONB.'],
  ['jsonb_remove', 'json, path...', 'blob', 'Like json_remove, in the binary form JSONB.'],
  ['jsonb_replace', 'json, path, value, more...', 'blob', 'Like json_replace, in the binary form JSONB.'],
  ['jsonb_set', 'json, path, value, more...', 'blob', 'Like json_set, in the binary form JSONB.'],
];

/** JSON functions that take a group of rows. */
export const jsonAggregates: readonly FunctionRow[] = [
  ['json_group_array', 'value', 'text', 'A JSON array of the values of the group.'],
  ['json_group_object', 'label, value', 'text', 'A JSON object of the labels and values of the group.'],
  ['jsonb_group_array', 'value', 'blob', 'Like json_group_array, in the binary form JSONB.'],
  ['jsonb_group_object', 'label, value', 'blob', 'Like json_group_object, in the binary form JSONB.'],
];

/** JSON functions that FROM reads as tables. */
export const jsonTables: readonly FunctionRow[] = [
  ['json_each', 'json, path?', 'any', 'A row for each direct member of a JSON array or object.'],
  ['json_tree', 'json, path?', 'any', 'A row for each element of a JSON document, at every depth.'],
  ['jsonb_each', 'json, path?', 'any', 'Like json_each, with arrays and objects in the binary form JSONB.'],
  ['jsonb_tree', 'json, path?', 'any', 'Like json_tree, with arrays and objects in the binary form JSONB.'],
];
