// Import from decode.ts instead; this file goes when no one imports it any more.
export * from './decode.ts';
