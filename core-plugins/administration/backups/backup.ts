import { type Static, Type } from 'typebox'
import { orNull, presenterOf, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'
import type { SectionName } from '../../foundation/sections/sections.ts'
import { sectionsSchema } from './section-schemas.ts'

export const backupStatuses = ['pending', 'running', 'completed', 'failed'] as const

/** How far a backup has come. */
export type BackupStatus = (typeof backupStatuses)[number]

/** How many items a backup holds, by section, then by type, table or kind of file. */
export type BackupCounts = Readonly<Partial<Record<SectionName, Readonly<Record<string, number>>>>>

export const retentionSchema = Type.Number({ minimum: 0, maximum: 36_500 })

/** A backup as the API shows it. */
export const backupSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    status: Type.Enum([...backupStatuses]),
    sections: sectionsSchema,
    // Null until it is completed, as the checksum is.
    size: orNull(Type.Integer({ description: 'Bytes' })),
    checksum: orNull(Type.String({ description: 'SHA-256 of the file' })),
    counts: Type.Unsafe<BackupCounts>(Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()))),
    retentionDays: retentionSchema,
    expires_at: timestampSchema,
    created_at: timestampSchema,
    completed_at: orNull(timestampSchema),
    error: orNull(Type.String()),
  },
  strict,
)

/** A backup; timestamps are ISO 8601. `size` (in bytes) and `checksum` (SHA-256) are null until it is completed. */
export type Backup = RecordOf<typeof backupSchema>

export type ShownBackup = Static<typeof backupSchema>

/** Without internal columns. */
export const presentBackup = presenterOf(backupSchema)

const restoreStatuses = ['pending', 'committed', 'completed', 'failed'] as const

/** `committed`: the database is restored, and the follow-up work is in progress. */
export type RestoreStatus = (typeof restoreStatuses)[number]

const lastRestoreSchema = Type.Object(
  {
    status: Type.Enum([...restoreStatuses], {
      description: '`committed`: the database is restored, files are still being written',
    }),
    created_at: timestampSchema,
    completed_at: orNull(timestampSchema),
    error: orNull(Type.String()),
  },
  strict,
)

export const presentRestore = presenterOf(lastRestoreSchema)

/** One backup, where nothing else is asked for. */
export const wholeBackupSchema = Type.Object(
  {
    ...backupSchema.properties,
    lastRestore: orNull(lastRestoreSchema, {
      description: 'So that whoever asked for a restore and lost the connection learns how it ended',
    }),
  },
  strict,
)

/** When backups are made by themselves. */
export const backupScheduleSchema = Type.Object(
  {
    enabled: Type.Boolean(),
    cronExpression: Type.String(),
    retentionDays: retentionSchema,
    sections: sectionsSchema,
  },
  strict,
)
