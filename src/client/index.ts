/** The embedded client. Other folders import only this file. */
export type { SqlAnswer } from './answerReader.ts';
export { type BrowseOptions, Client, type InitOptions, type IssueKeyRequest } from './client.ts';
export type {
  BeforeHook,
  CallOptions,
  CallReport,
  ClientLogger,
  ClientOptions,
  OutgoingRequest,
  RetryWait,
  SqlCallOptions,
} from './options.ts';
export { Pager, type PagerOptions } from './pager.ts';
export { type DecodeRow, Project, type QueryOptions } from './project.ts';
export { Redactor } from './redactor.ts';
export type { Backoff } from './retryRules.ts';
export type { RowBatch } from './rowBatcher.ts';
export { RowScanner } from './rowScanner.ts';
export { type Clock, systemClock } from '../base/clock.ts';
export { type ErrorKind, ProjectError } from '../base/errors.ts';
export type { BrowsePage, IssuedKey, ProjectRecord } from '../wire/answers.ts';
export { isReadOnlyKeyFault, type KeyScope } from '../wire/keyScope.ts';
export type {
  InitialisedProject,
  ProjectPair,
  ProjectStatus,
  ResolvedProject,
  TableColumn,
  TableSchema,
} from '../wire/projectAnswers.ts';
export { serviceCodes, ServiceError } from '../wire/serviceError.ts';
export type { EncodedSqlRequest, SqlRequest } from '../wire/sqlRequest.ts';
export { Real } from '../wire/values.ts';
export type { Column, Row, SqlParameter, SqlValue } from '../wire/values.ts';
export { API_VERSION, VERSION } from '../wire/version.ts';
