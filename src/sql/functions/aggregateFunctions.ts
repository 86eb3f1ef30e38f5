import type { FunctionRow } from './functionRow.ts';

/** These functions take a group of rows. OVER can follow each of them. */
export const aggregateFunctions: readonly FunctionRow[] = [
  ['avg', 'x', 'real', 'The mean of all values that are not NULL, or NULL when there are none.'],
  ['count', '', 'integer', 'The number of rows, written count(*).'],
  ['count', 'x', 'integer', 'The number of rows in which the argument is not NULL.'],
  [
    'group_concat',
    'x, separator?',
    'text',
    'All values that are not NULL as one text, with a comma or a separator between.',
  ],
  ['max', 'x', 'any', 'The greatest value of the group, or NULL when all are NULL.'],
  ['median', 'x', 'number', 'The middle value of the group, or the mean of the two in the middle.'],
  ['min', 'x', 'any', 'The least value of the group that is not NULL.'],
  [
    'percentile',
    'x, percent',
    'real',
    'The value below which that percentage of the group lies, from 0 to 100, interpolated.',
  ],
  [
    'percentile_cont',
    'x, fraction',
    'real',
    'The value below which that fraction of the group lies, from 0.0 to 1.0, interpolated.',
  ],
  [
    'percentile_disc',
    'x, fraction',
    'number',
    'The value of the group itself that lies at a fraction from 0.0 to 1.0.',
  ],
  ['string_agg', 'x, separator', 'text', 'The same as group_concat with a separator.'],
  [
    'sum',
    'x',
    'number',
    'The sum of all values that are not NULL, or NULL when there are none; integers may overflow.',
  ],
  ['total', 'x', 'real', 'The sum of all values that are not NULL, always a real number, 0.0 when there are none.'],
];
