import type { FunctionRow } from './functionRow.ts';

export const dateFunctions: readonly FunctionRow[] = [
  ['current_date', '', 'text', 'The current date in UTC as YYYY-MM-DD, written without parentheses.'],
  ['current_time', '', 'text', 'The current time in UTC as HH:MM:SS, written without parentheses.'],
  [
    'current_timestamp',
    '',
    'text',
    'The current date and time in UTC as YYYY-MM-DD HH:MM:SS, written without parentheses.',
  ],
  ['date', 'time?, modifier...', 'text', 'The date as YYYY-MM-DD after the modifiers; of the current time by default.'],
  ['datetime', 'time?, modifier...', 'text', 'Date and time as YYYY-MM-DD HH:MM:SS, after the modifiers.'],
  ['julianday', 'time?, modifier...', 'real', 'The days since noon in Greenwich on 24 November 4714 BC.'],
  ['strftime', 'format, time?, modifier...', 'text', 'The time written in a format such as %Y-%m-%d %H:%M:%f.'],
  ['time', 'time?, modifier...', 'text', 'The time of day as HH:MM:SS, after the modifiers.'],
  ['timediff', 'a, b', 'text', 'The difference that leads from b to a, as (+|-)YYYY-MM-DD HH:MM:SS.SSS.'],
  ['unixepoch', 'time?, modifier...', 'integer', 'The seconds since 1970-01-01 00:00:00 UTC.'],
];
