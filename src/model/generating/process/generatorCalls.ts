import type { GeneratedRows, GenerateRequest } from '../generateRows.ts';

/** What the process is asked for. Messages are cloned, so that keys keep their types. */
export type GeneratorCall = Omit<GenerateRequest, 'signal' | 'onProgress'>;

export type FromGenerator =
  | { readonly kind: 'progress'; readonly rowCount: number }
  | { readonly kind: 'done'; readonly generated: GeneratedRows }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };
