import type { FunctionRow } from './functionRow.ts';

/** These functions need OVER. */
export const windowFunctions: readonly FunctionRow[] = [
  ['cume_dist', '', 'real', 'The share of rows in the partition that come before or with this one.'],
  ['dense_rank', '', 'integer', 'The rank of the row among its peers without gaps, from 1.'],
  ['first_value', 'x', 'any', 'The argument in the first row of the frame.'],
  [
    'lag',
    'x, offset?, default?',
    'any',
    'The argument in the row that is offset rows earlier, by default one, or else the default value.',
  ],
  ['last_value', 'x', 'any', 'The argument in the last row of the frame.'],
  [
    'lead',
    'x, offset?, default?',
    'any',
    'The argument in the row that is offset rows later, by default one, or else the default value.',
  ],
  ['nth_value', 'x, n', 'any', 'The argument in the n-th row of the frame, or NULL when it has fewer rows.'],
  ['ntile', 'n', 'integer', 'The number of the group when the partition is cut into n groups as even as possible.'],
  ['percent_rank', '', 'real', 'The rank of the row as a share of the partition, from 0.0 to 1.0.'],
  ['rank', '', 'integer', 'The number of the first peer of the row within the partition, so ranks have gaps.'],
  ['row_number', '', 'integer', 'The number of the row within the partition, from 1.'],
];
