import type { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { ddl } from '../sql/corpus.ts';
import { openShadow } from './openShadow.ts';

/** The statements that create the schema of the corpus. */
export const corpusStatements = splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end));

/** A shadow with the schema of the corpus. */
export const openCorpusShadow = (): Promise<ShadowSchema> => openShadow(corpusStatements);
