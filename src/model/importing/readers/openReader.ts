import { assertNever } from '../../../base/assertNever.ts';
import type { SourceOptions } from '../importOptions.ts';
import type { SourceFile } from '../sourceFile.ts';
import type { SourceReader } from '../sourceRow.ts';
import { openDelimitedReader } from './delimitedReader.ts';
import { openJsonReader } from './jsonReader.ts';
import { openSqliteReader } from './sqliteReader.ts';

export async function openSourceReader(file: SourceFile, options: SourceOptions): Promise<SourceReader> {
  switch (options.format) {
    case 'csv':
    case 'tsv':
      return openDelimitedReader(file, options);
    case 'json':
    case 'ndjson':
      return openJsonReader(file, options);
    case 'sqlite':
      return openSqliteReader(file.path, options.table);
    default:
      return assertNever(options.format);
  }
}
