import type { TableDesign } from './tableDesign.ts';

/** A table without columns. It has a file of its own, so that the designer's page has no decoders. */
export const emptyDesign: TableDesign = {
  name: '',
  columns: [],
  primaryKey: undefined,
  uniqueKeys: [],
  checks: [],
  foreignKeys: [],
  strict: false,
  withoutRowid: false,
  indexes: [],
  triggers: [],
  comments: [],
  lostWords: [],
};
