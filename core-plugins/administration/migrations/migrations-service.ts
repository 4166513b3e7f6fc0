import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { ImportProblem } from '../import-export/import-export.ts'
import type { Finding, MigrationSource } from './source.ts'

/** How many there are on both sides: in the other system, and here. */
export interface BothSides {
  readonly subject: string
  readonly there: number
  readonly here: number
}

export interface MigrationReport {
  /** Types, users, files and folders. */
  readonly counts: readonly BothSides[]
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** What has no counterpart, or could not be brought in; of entries the first thousand. */
  readonly findings: readonly Finding[]
  readonly problems: readonly ImportProblem[]
  readonly problemCount: number
}

export interface MigrationRequest {
  /** Always the same for the same content: an interrupted migration goes on where it was. */
  readonly name: string
  readonly signal: AbortSignal
  /** Files get records without their bytes: for a service that is thrown away afterwards. */
  readonly isTrial?: boolean
  /** Tells what is being brought in. */
  progress(line: string): void
}

/** Brings in the content of other systems, whose types are declared already. */
export interface Migrations {
  /**
   * A second run with the same name changes nothing, unless the first was interrupted.
   * @throws AppError, MigrationError
   */
  run(source: MigrationSource, request: MigrationRequest): Promise<MigrationReport>
  /** Lets a migration that has ended run once more, as it does for a newer export. */
  forget(name: string): Promise<void>
}

export const migrationsService: ServiceToken<Migrations> = service('migrations')
