export { parseDay, parseMoment } from './calendar.ts'
export type { NotificationLine, NotificationListener, Notifications } from './connections/notifications.ts'
export { DatabaseError, type DatabaseErrorKind, isUniqueViolation } from './database-error.ts'
export { type ConnectionLoad, type Database, databaseService, type TightLimit } from './database-service.ts'
export { decimalDigits, exactDecimal, fitsDecimal, mayBeRounded, shownDecimal } from './decimal.ts'
export type { Dialect, RelatedRows } from './dialect.ts'
export { type DialectName, dialectNames } from './dialect-name.ts'
export { isJsonKey, type JsonType } from './json-dialect.ts'
export { openSnapshot } from './open-snapshot.ts'
export { encodeSteps, isPoint, type Point, stepsOf, stepsPerDegree } from './point.ts'
export { tableProblems } from './schema/assert-tables.ts'
export { type Conversions, conversionsService } from './schema/conversions.ts'
export { StepKeeper } from './schema/keep-step.ts'
export {
  type SchemaChange,
  schemaSyncBlocked,
  schemaSynced,
  storedValuesChanged,
} from './schema/schema-change.ts'
export { type SchemaRecord, schemaRecordService } from './schema/schema-record.ts'
export { type SchemaSync, schemaSyncService } from './schema/schema-sync.ts'
export { explainHolds, holdDetails } from './schema/undeclared-holds.ts'
export { type UniqueWaits, uniqueWaitsService } from './schema/unique-waits.ts'
export type { Explain } from './schema/waiting-rows.ts'
export type { Snapshot, SnapshotSource } from './snapshot.ts'
export { areEmptyTables, emptyTables } from './statements/empty-tables.ts'
export {
  type InsertAnswering,
  type InsertMany,
  insertAnsweringIds,
  insertMany,
} from './statements/insert-many.ts'
export {
  type Columns,
  type InList,
  type Query,
  query,
  selectList,
  type Value,
} from './statements/query.ts'
export type { Queries, QueryTarget, Recipient, RunResult } from './statements/query-target.ts'
export type { ColumnKinds, Row, Statement, StatementOptions, Values } from './statements/statement.ts'
export type { Durability, Transaction, TransactionKind } from './statements/transaction.ts'
export { afterWork, untilCommit } from './statements/until-commit.ts'
export { convertedValue, convertValue, describeKind, type Held } from './sync/conversion.ts'
export { type ColumnDeclarations, column, type SelectedRow, type TableColumn } from './tables/column.ts'
export type { ColumnKind } from './tables/column-kind.ts'
export { defineTable, type NewRowOf, type RowOf, type Table } from './tables/define-table.ts'
export {
  type DraftEnding,
  type DraftEndingRequest,
  draftEndings,
  type TrashEnding,
  type TrashEndingRequest,
  trashEndings,
} from './tables/draft-ending.ts'
export {
  blockName,
  isJsonObject,
  type JsonBlocks,
  type JsonIds,
  type JsonItems,
  type JsonMember,
  type JsonMembers,
  type JsonShape,
} from './tables/json-shape.ts'
export { isHeldAs } from './tables/json-value.ts'
export { type Page, pageOf } from './tables/page.ts'
export {
  type ColumnSpec,
  type EndingDrafts,
  type EndingTrash,
  type IndexSpec,
  type ReferenceSpec,
  type TableSection,
  type TableSpec,
  tables,
} from './tables/table-spec.ts'
export type { TableStatements } from './tables/table-statements.ts'
