import {
  arrayOf,
  asBoolean,
  asCount,
  asString,
  type Infer,
  nullable,
  object,
  oneOf,
  optional,
} from '../../base/decode.ts';

export const importFormats = ['csv', 'tsv', 'json', 'ndjson', 'sqlite'] as const;
export type ImportFormat = (typeof importFormats)[number];

export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type TextEncoding = (typeof textEncodings)[number];

/** How an import treats rows whose key already exists. `update` never adds a row. */
export const importModes = ['insert', 'ignore', 'replace', 'upsert', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

export const decodeSourceOptions = object({
  format: oneOf(importFormats),
  encoding: oneOf(textEncodings),
  /** One ASCII character. */
  delimiter: asString,
  /** One ASCII character; empty if the file has no quotes. */
  quote: asString,
  /** Whether the first row has the names of the columns. */
  hasHeader: asBoolean,
  /** An unquoted value with this text becomes NULL. Null if no text stands for NULL. */
  nullText: nullable(asString),
  /** The table of a database file; empty for other formats. */
  table: asString,
});

export type SourceOptions = Infer<typeof decodeSourceOptions>;

const decodeMappedColumn = object({
  /** The number of the column in the file, from 0. */
  source: asCount,
  target: asString,
  type: optional(asString),
});

/** A column of the file and the column of the table that takes its values. */
export type MappedColumn = Infer<typeof decodeMappedColumn>;

export const decodeTarget = object({
  table: asString,
  mode: oneOf(importModes),
  columns: arrayOf(decodeMappedColumn, 2000),
  /** The columns of the table that identify a row, for `upsert` and `update`. */
  key: arrayOf(asString, 2000),
  /** Whether the service has `jsonb_each` and reads JSON5, which is faster than `json_each` and JSON. */
  hasJsonb: asBoolean,
  /** Whether a row is rejected if it has a text or bytes in a column for numbers. Copies take all values. */
  checksNumbers: optional(asBoolean),
});

/** The table that takes the rows, and how it takes them. */
export type ImportTarget = Infer<typeof decodeTarget>;
