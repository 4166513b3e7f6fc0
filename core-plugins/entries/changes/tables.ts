import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { Image } from '../content/content.ts'
import type { ChangeKind, ChangeOrigin } from './changes.ts'

/** What has changed, in the order in which it became visible: written with each change, numbered after its commit. */
export const changesTable = defineTable(
  'svc_changes',
  {
    id: column.id(),
    /** Null until it is numbered; unused where ids are in the order of the commits. */
    position: column.bigint<number>().nullable(),
    /** By which the process that wrote it knows it again. */
    uid: column.string(32),
    /** Null: all types. */
    type: column.string(64).nullable(),
    /** Null: any entry of the type. */
    entryId: column.integer().nullable(),
    kind: column.string<ChangeKind>(12),
    locale: column.string(35).nullable(),
    wasPublic: column.boolean(),
    isPublic: column.boolean(),
    fields: column.json<readonly string[]>().nullable(),
    before: column.json<Image>().nullable(),
    after: column.json<Image>().nullable(),
    origin: column.json<ChangeOrigin>().nullable(),
    createdAt: column.datetime(),
  },
  // Every index is paid for by every write.
  { indexes: [{ columns: ['position'], type: 'unique' }] },
)

export type ChangeRow = RowOf<typeof changesTable>

/** One row: where the log stands. */
export const changesStateTable = defineTable(
  'svc_changes_state',
  {
    name: column.string(16),
    /** Names this log; positions of another one mean nothing here. */
    epoch: column.string(16),
    /** Encrypts positions for clients; in hexadecimal digits. */
    secret: column.string(32),
    /** The highest position given. */
    position: column.bigint<number>(),
    /** Changes up to this position may be gone. */
    floor: column.bigint<number>(),
  },
  { primaryKey: ['name'] },
)
