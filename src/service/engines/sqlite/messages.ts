import type { ServiceFault } from '../../../wire/serviceError.ts';
import type { Column, SqlParameter } from '../../../wire/values.ts';
import type { Page } from '../../engine.ts';

/** What a project's process is asked to do. */
export type ProjectRequest =
  | {
      readonly kind: 'execute';
      readonly sql: string;
      readonly params: readonly SqlParameter[];
      readonly once?: { readonly key: string; readonly fingerprint: string } | undefined;
      /** Milliseconds since the epoch, by the service's clock. */
      readonly now: number;
    }
  | { readonly kind: 'browse'; readonly page: Page }
  | { readonly kind: 'schema'; readonly table: string }
  | { readonly kind: 'export'; readonly file: string }
  /** Makes a sound copy of a file, ready to take the place of the project's own database, which is closed for it. */
  | { readonly kind: 'prepareImport'; readonly file: string; readonly copy: string }
  | { readonly kind: 'open' | 'listTables' | 'vacuum' | 'integrityCheck' };

/** The end of an answer. Rows have come before it. */
export type ProjectReply =
  | { readonly kind: 'rows'; readonly columns: readonly Column[] }
  | { readonly kind: 'count'; readonly rowCount: number; readonly replayed: boolean }
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'refused';
      readonly fault: Omit<ServiceFault, 'excerpt'>;
    }
  /** Nobody foresaw it, so it is for the log and not for the caller. */
  | { readonly kind: 'failed'; readonly message: string };

export interface ProjectSettings {
  readonly file: string;
  /** Where the answers of calls with keys are remembered. */
  readonly records: string;
  readonly synchronous: Synchronous;
}

/** How surely a commit is on the disk when it is acknowledged. NORMAL may lose the last ones when the power fails. */
export type Synchronous = 'FULL' | 'NORMAL';

/** How many bytes of rows a process may send ahead of their reader. */
export const rowWindow = 256 * 1024;
