import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { Image } from '../content/content.ts'
import type { ChangeKind, ChangeOrigin } from './changes.ts'

/** The changes in the order in which they became visible: written with each change, numbered after its commit. */
export const changesTable = defineTable(
  'svc_changes',
  {
    id: column.id(),
    /** Null until it is numbered; unused if ids are in the order of the commits. */
    position: column.bigint<number>().nullable(),
    /** Lets the process that wrote the change recognize it. */
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
  // No further indexes, because each one slows down every write.
  { indexes: [{ columns: ['position'], type: 'unique' }] },
)

export type ChangeRow = RowOf<typeof changesTable>

/** A single row: the state of the log. */
export const changesStateTable = defineTable(
  'svc_changes_state',
  {
    name: column.string(16),
    /** Identifies this log; positions of another log are not valid here. */
    epoch: column.string(16),
    /** Encrypts positions for clients; in hexadecimal digits. */
    secret: column.string(32),
    /** The highest position assigned. */
    position: column.bigint<number>(),
    /** Changes up to this position may have been deleted. */
    floor: column.bigint<number>(),
  },
  { primaryKey: ['name'] },
)
