export { type AnswerBudget, type AnswerPlace, AnswerTooLarge, jsonBytes } from './answer-budget.ts'
export {
  type BatchRecorder,
  type BulkOperation,
  type BulkWrite,
  batchRecorders,
  type RecordedBatch,
  type StartedBatch,
} from './batch-recorder.ts'
export type { ContentTarget, ReadOperation, WriteOperation } from './content-target.ts'
export { draftMark } from './drafts/draft-overlay.ts'
export { type PendingDraft, type PendingDrafts, pendingDrafts } from './drafts/pending-drafts.ts'
export { type AddedField, type AddedFields, addedFieldsOf } from './entry/added-fields.ts'
export { type AttributeHistory, attributeHistoryService } from './entry/attribute-history.ts'
export {
  type AttributePlace,
  type AttributePlaces,
  createAttributePlaces,
  type PlaceHolder,
} from './entry/attribute-places.ts'
export type { Entry, EntryPage, FoundEntry } from './entry/entry.ts'
export {
  type EntryChange,
  type EntryChangeKind,
  type EntryChangeListener,
  entryChanges,
} from './entry/entry-changes.ts'
export {
  type ContentEvent,
  type EntryEvent,
  entryCreated,
  entryDeleted,
  entryDraftChanged,
  entryPublished,
  entryPurged,
  entryUnpublished,
  entryUpdated,
} from './entry/entry-events.ts'
export {
  type AddedParameters,
  createAddedParameters,
  type EntryColumn,
  type EntryColumns,
  type EntryLock,
  type EntryParameters,
  type EntrySearch,
  entryColumns,
  entryLocks,
  entryParameters,
  entrySearches,
  type ParameterRequest,
  type ReadPlace,
  type ReferenceCheck,
  type RestrictedEntry,
  type Restriction,
  referenceChecks,
  type SearchedText,
  type StandInChoice,
  type StandIns,
  standIns,
} from './entry/entry-extensions.ts'
export {
  type EntryMeta,
  entryMeta,
  type MetaSelection,
  type SortExpression,
  totalsField,
} from './entry/entry-meta.ts'
export { inputSchema } from './entry/entry-schema.ts'
export { type EntryTable, entryTables } from './entry/entry-tables.ts'
export { hiddenProblems } from './entry/hidden-parts.ts'
export {
  createReferencePlaces,
  idsIn,
  type ReferencePlace,
  type ReferencePlaces,
} from './entry/reference-places.ts'
export { assertVersion, writtenReply } from './entry/version.ts'
export type { EntryQuery, Expansion, ShownOfEntries } from './entry-query.ts'
export { objectOrText } from './object-or-text.ts'
export type { WriteCheck } from './operations/check.ts'
export { type OfferedOperation, offeredOperationsService } from './operations/offered-operations.ts'
export type { OperationMutation } from './operations/operation.ts'
export type { BulkWrites, ContentWrites, Trash } from './operations/operations.ts'
export type { PageLimits } from './page-limits.ts'
export type { PayloadReference } from './payload/payload.ts'
export { type PublicationTimes, publicationTimesIn } from './publication-times.ts'
export { parseBoolean } from './query/filter-value.ts'
export { objectParameter } from './query/object-parameter.ts'
export { type ReadGate, type ReadShape, readGates } from './read-gate.ts'
export {
  contentReadMiddleware,
  defineReadMiddleware,
  type ReadContext,
  type ReadMiddleware,
  type ReadResult,
  type ReadStage,
} from './read-middleware.ts'
export {
  type HiddenType,
  type Image,
  observeReads,
  observerOf,
  type ReadObserver,
  type ReadSelection,
} from './read-observer.ts'
export {
  type ContentQueries,
  contentQueriesService,
  type VisibleEntries,
} from './services/content-queries-service.ts'
export {
  type Content,
  type ContentReads,
  contentService,
  type UnguardedContent,
} from './services/content-service.ts'
export type {
  EntryField,
  EntrySelection,
  FieldInside,
  SelectionRequest,
  SelectionSql,
  ValuesInside,
} from './services/entry-selection.ts'
export { bulkWritesService, type Guarded, trashService } from './services/guarded-writes.ts'
export {
  type StoredChange,
  type StoredEntries,
  storedEntriesService,
} from './services/stored-entries-service.ts'
export type { SystemEntries, SystemWrite } from './services/system-entries.ts'
export { defaultLimit as defaultPageLimit, maxLimit as maxPageLimit } from './settings.ts'
export { type ShownValue, type ShownValues, shownValues } from './shown-values.ts'
export type { EntryToSave, SavedEntry, SaveOptions } from './write/saving/entry-to-save.ts'
export { assertEnforced } from './write/waiting-uniqueness.ts'
export { type RowFailure, RowsRefused } from './write/write-errors.ts'
export {
  annotate,
  autosaveWrite,
  formerValues,
  repairWrite,
  type WriteAnnotation,
  WriteAnnotations,
  writeAnnotation,
} from './write-annotation.ts'
export { isForGood, type WriteContext } from './write-context.ts'
export {
  contentWriteMiddleware,
  defineWriteMiddleware,
  type WriteMiddleware,
  type WriteStage,
} from './write-middleware.ts'
export type { EntryWriteRequest, SingleWriteRequest, WriteRequest } from './write-request.ts'
