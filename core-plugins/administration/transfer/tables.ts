import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { ApplyResult } from './apply-result.ts'

/** One row with the id of this environment. Backups do not contain it, because they may be restored elsewhere. */
export const environmentTable = defineTable(
  'svc_environment',
  { name: column.string(20), environment: column.string(36) },
  { primaryKey: ['name'] },
)

/**
 * The hashes of each item on both sides of a transfer when they last agreed, null where the item did not exist. A side whose
 * hash differs now has changed the item since.
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
 * Hashes of entries without their companions, valid at the position of the change log that the state names. Backups do not
 * contain them.
 */
export const keptHashesTable = defineTable(
  'svc_transfer_hashes',
  {
    type: column.string(64),
    entryId: column.integer(),
    /** Identifies what the hash was computed from; see `KeptType`. */
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

/** Packages that were applied. The id is the SHA-256 of the text, so that no package is applied twice. */
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
