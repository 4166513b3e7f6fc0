import {
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  hook,
  type ServiceToken,
  service,
} from '../../../kernel/index.ts'
import type { TableSection } from '../../foundation/database/database.ts'
import type { Sections } from '../../foundation/sections/sections.ts'
import type { Backup } from './backup.ts'

export type { Backup, BackupCounts, BackupStatus } from './backup.ts'
export {
  type ArchiveStore,
  type ArchiveStoreKind,
  archiveStores,
  isArchiveName,
} from './files/archive-store.ts'

/** A table whose rows go into backups. Tables whose declaration names a section need not be contributed. */
export interface BackupTable {
  /** As contributed to `tables`; it has an `id` or a primary key. */
  readonly table: string
  /** The section with which it is backed up and restored. */
  readonly section: TableSection
}

/**
 * For tables that were made by hand; `defineTable` takes a `section` instead. Contribute in `register` or `init`.
 */
export const backupTables: ExtensionPoint<BackupTable> = extensionPoint('backupTables')

/** A backup to be made; what is left out has a default. */
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

/** Makes backups; absent while the plugin `backups` is off. */
export const backupsService: ServiceToken<Backups> = service('backups')

/**
 * The content of the database was replaced with that of a backup; emitted in every process, after the commit.
 * Listeners must drop what they cache of it.
 */
export const backupRestored: HookToken<{ readonly sections: Sections }> = hook('backups:restored')
