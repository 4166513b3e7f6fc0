import {
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  hook,
  type ServiceToken,
  service,
} from '../../kernel/index.ts'
import type { Transaction } from '../database/database.ts'

export {
  type ArchiveStore,
  type ArchiveStoreKind,
  archiveStores,
  isArchiveName,
} from './files/archive-store.ts'

export const sectionNames = ['schemas', 'components', 'config', 'content', 'media'] as const

/** Specification, "Backup sections". */
export type SectionName = (typeof sectionNames)[number]

export type Sections = Readonly<Record<SectionName, boolean>>

/**
 * A table whose rows go into backups. Those of content types, content users and media are included anyway.
 */
export interface BackupTable {
  /** As contributed to `tables`; it has an `id` or a primary key. */
  readonly table: string
  /** The section with which it is backed up and restored. */
  readonly section: 'content' | 'media'
}

/**
 * For data that belongs to entries or files but lives in other tables. Contribute in `register` or `init`.
 */
export const backupTables: ExtensionPoint<BackupTable> = extensionPoint('backupTables')

/**
 * Called within the transaction of a restore, when all rows are written, to update derived data. Throwing
 * rolls the restore back. Slow work belongs in a job.
 */
export type RestoreStep = (tx: Transaction, sections: Sections) => Promise<unknown>

/** Contribute in `register` or `init`. */
export const restoreSteps: ExtensionPoint<RestoreStep> = extensionPoint('restoreSteps')

export type BackupStatus = 'pending' | 'running' | 'completed' | 'failed'

/** How many items a backup holds, by section, then by type, table or kind of file. */
export type BackupCounts = Readonly<Partial<Record<SectionName, Readonly<Record<string, number>>>>>

/** A backup as the API shows it; timestamps are ISO 8601. */
export interface Backup {
  readonly id: number
  readonly name: string
  readonly status: BackupStatus
  readonly sections: Sections
  /** In bytes; null until it is completed. */
  readonly size: number | null
  /** SHA-256 of the whole file; null until it is completed. */
  readonly checksum: string | null
  readonly counts: BackupCounts
  readonly retentionDays: number
  readonly expiresAt: string
  readonly createdAt: string
  readonly completedAt: string | null
  readonly error: string | null
}

export interface NewBackup {
  readonly name?: string | undefined
  /** 30 by default. */
  readonly retentionDays?: number | undefined
  /** All existing sections by default. */
  readonly sections?: Partial<Sections> | undefined
}

/** Backups of all content, each a snapshot of one moment. */
export interface Backups {
  /** Resolves when the backup is completed. @throws AppError 409 while a restore runs, 503 if it failed */
  create(backup: NewBackup, signal?: AbortSignal): Promise<Backup>
}

export const backupsService: ServiceToken<Backups> = service('backups')

/**
 * The content of the database was replaced with that of a backup; emitted in every process, after the commit.
 * Listeners must drop what they cache of it.
 */
export const backupRestored: HookToken<{ readonly sections: Sections }> = hook('backups:restored')
