import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { ImportProblem } from '../import-export/import-export.ts'
import type { Finding, MigrationSource } from './source.ts'

/** The number of items in the other system and of those here. */
export interface BothSides {
  readonly subject: string
  readonly there: number
  readonly here: number
}

export interface MigrationReport {
  /** By kind of item: content types, users, files and folders. */
  readonly counts: readonly BothSides[]
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** What has no counterpart here or could not be migrated; at most a thousand findings about entries. */
  readonly findings: readonly Finding[]
  readonly problems: readonly ImportProblem[]
  readonly problemCount: number
}

export interface MigrationRequest {
  /** Identifies the content: a run with the same name continues an interrupted migration. */
  readonly name: string
  readonly signal: AbortSignal
  /** Files get records without bytes, for a trial in a temporary service. */
  readonly isTrial?: boolean
  /** Reports what is being migrated, in a line for people. */
  progress(line: string): void
}

/** Migrates content from other systems. Its content types must have been declared. */
export interface Migrations {
  /**
   * A second run with the same name changes nothing, unless the first was interrupted.
   * @throws AppError, MigrationError
   */
  run(source: MigrationSource, request: MigrationRequest): Promise<MigrationReport>
  /** Forgets that a migration has completed, so that a newer export can be migrated under the same name. */
  forget(name: string): Promise<void>
}

export const migrationsService: ServiceToken<Migrations> = service('migrations')
