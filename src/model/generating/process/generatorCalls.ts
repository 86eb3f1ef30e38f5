import type { GeneratedRows, GenerateRequest } from '../generateRows.ts';

/** A request to the process. Messages are cloned, so keys keep their types: bigints, bytes and maps. */
export type GeneratorCall = Omit<GenerateRequest, 'signal' | 'onProgress'>;

export type FromGenerator =
  | { readonly kind: 'progress'; readonly rowCount: number }
  | { readonly kind: 'done'; readonly generated: GeneratedRows }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };
