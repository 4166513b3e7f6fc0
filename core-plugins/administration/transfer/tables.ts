import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { ApplyResult } from './apply-result.ts'

/** One row: which environment this is. A backup does not hold it, as it may be restored elsewhere. */
export const environmentTable = defineTable(
  'svc_environment',
  { name: column.string(20), environment: column.string(36) },
  { primaryKey: ['name'] },
)

/**
 * What both sides of a transfer had when they agreed last, by item: their hashes, null where there was none. What
 * differs from that has been changed since.
 */
export const agreementsTable = defineTable(
  'svc_transfer_agreements',
  {
    peer: column.string(36),
    section: column.string(100),
    itemKey: column.string(255),
    own: column.string(43).nullable(),
    theirs: column.string(43).nullable(),
    agreedAt: column.datetime(),
  },
  { primaryKey: ['peer', 'section', 'itemKey'] },
)

/** The SHA-256 of files in the storage of media, in hexadecimal digits. */
export const fileHashesTable = defineTable(
  'svc_transfer_file_hashes',
  { file: column.string(100).named('file_key'), hash: column.string(64) },
  { primaryKey: ['file'] },
)

/**
 * Hashes of entries without what is kept beside them, as they were at the position of the log of changes that the state says. No
 * backup holds them.
 */
export const keptHashesTable = defineTable(
  'svc_transfer_hashes',
  {
    type: column.string(64),
    entryId: column.integer(),
    /** Of what it was made from an entry; see `KeptType`. */
    form: column.string(43),
    hash: column.string(43),
    updatedAt: column.datetime().nullable(),
  },
  { primaryKey: ['type', 'entryId'] },
)

export const keptHashesStateTable = defineTable(
  'svc_transfer_hashes_state',
  { name: column.string(16), position: column.bigint<number>() },
  { primaryKey: ['name'] },
)

/** A package that was applied. The id is the SHA-256 of its text, so the same one is never applied twice. */
export const packagesTable = defineTable(
  'svc_transfer_packages',
  {
    id: column.string(64),
    peer: column.string(36),
    result: column.json<ApplyResult>(),
    appliedAt: column.datetime(),
  },
  { primaryKey: ['id'], indexes: [{ columns: ['appliedAt'], type: 'index' }] },
)

export type PackageRow = RowOf<typeof packagesTable>

/** All of them, to be contributed. */
export const transferTables = [
  environmentTable,
  agreementsTable,
  fileHashesTable,
  keptHashesTable,
  keptHashesStateTable,
  packagesTable,
].map(({ spec }) => spec)
