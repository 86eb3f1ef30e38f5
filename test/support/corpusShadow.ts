import type { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { ddl } from '../sql/corpus.ts';
import { openShadow } from './openShadow.ts';

export const corpusStatements = splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end));

export const openCorpusShadow = (): Promise<ShadowSchema> => openShadow(corpusStatements);
