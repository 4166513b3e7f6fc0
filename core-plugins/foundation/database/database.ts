export { tableProblems } from './assert-tables.ts'
export { parseDay, parseMoment } from './calendar.ts'
export { type ColumnDeclarations, column, type SelectedRow } from './column.ts'
export type { ColumnKind } from './column-kind.ts'
export { type Conversions, conversionsService } from './conversions.ts'
export { DatabaseError, type DatabaseErrorKind, isUniqueViolation } from './database-error.ts'
export { type ConnectionLoad, type Database, databaseService, type TightLimit } from './database-service.ts'
export { decimalDigits, exactDecimal, fitsDecimal, mayBeRounded, shownDecimal } from './decimal.ts'
export { defineTable, type NewRowOf, type RowOf, type Table } from './define-table.ts'
export type { Dialect, RelatedRows } from './dialect.ts'
export { type DialectName, dialectNames } from './dialect-name.ts'
export {
  type DraftEnding,
  type DraftEndingRequest,
  draftEndings,
  type TrashEnding,
  type TrashEndingRequest,
  trashEndings,
} from './draft-ending.ts'
export { areEmptyTables, emptyTables } from './empty-tables.ts'
export { type InsertAnswering, type InsertMany, insertAnsweringIds, insertMany } from './insert-many.ts'
export { isJsonKey, type JsonType } from './json-dialect.ts'
export {
  blockName,
  isJsonObject,
  type JsonBlocks,
  type JsonIds,
  type JsonItems,
  type JsonMember,
  type JsonMembers,
  type JsonShape,
} from './json-shape.ts'
export { isHeldAs } from './json-value.ts'
export { StepKeeper } from './keep-step.ts'
export type { NotificationLine, NotificationListener, Notifications } from './notifications.ts'
export { openSnapshot } from './open-snapshot.ts'
export { type Page, pageOf } from './page.ts'
export { encodeSteps, isPoint, type Point, stepsOf, stepsPerDegree } from './point.ts'
export {
  type Columns,
  type InList,
  type Query,
  query,
  selectList,
  type Value,
} from './query.ts'
export type { Queries, QueryTarget, Recipient, RunResult } from './query-target.ts'
export { type SchemaChange, schemaSyncBlocked, schemaSynced, storedValuesChanged } from './schema-change.ts'
export { type SchemaRecord, schemaRecordService } from './schema-record.ts'
export { type SchemaSync, schemaSyncService } from './schema-sync.ts'
export type { Snapshot, SnapshotSource } from './snapshot.ts'
export type { ColumnKinds, Row, Statement, StatementOptions, Values } from './statement.ts'
export { storageFreed, storageFull } from './storage-hooks.ts'
export { convertedValue, convertValue, describeKind, type Held } from './sync/conversion.ts'
export {
  type ColumnSpec,
  type EndingDrafts,
  type EndingTrash,
  type IndexSpec,
  type ReferenceSpec,
  type TableSection,
  type TableSpec,
  tables,
} from './table-spec.ts'
export type { TableStatements } from './table-statements.ts'
export type { Durability, Transaction, TransactionKind } from './transaction.ts'
export { explainHolds, holdDetails } from './undeclared-holds.ts'
export { type UniqueWaits, uniqueWaitsService } from './unique-waits.ts'
export { afterWork, untilCommit } from './until-commit.ts'
export type { Explain } from './waiting-rows.ts'
