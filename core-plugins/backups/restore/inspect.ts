import type { Database } from '../../database/database.ts'
import { AppError, type ErrorDetail } from '../../http/http.ts'
import { defineTask, type Workers, WorkerTaskError } from '../../workers/workers.ts'
import type { ArchiveLimits } from '../archive/limits.ts'
import { openArchive } from '../archive/read-archive.ts'
import type { EntryIndex } from '../archive/rows.ts'
import type { VerifiedArchive } from '../archive/verify-task.ts'
import type { BackupRow } from '../backup-store.ts'
import { type SectionName, type Sections, sectionNames } from '../backups.ts'
import { longestTaskMs } from '../pack/pack-archive.ts'
import { configTableName, type SectionTable, toDump } from '../section-tables.ts'
import { type Fit, fitTables } from './fit.ts'
import type { ArchivedSchemaFile, SchemaFileChanges, SchemaFiles } from './schema-files.ts'
import { findReplacedRoles, type MayGiveRole, type ReplacedRoles } from './user-roles.ts'

const verify = defineTask<typeof import('../archive/verify-task.ts').default>(
  new URL('../archive/verify-task.ts', import.meta.url),
)
const checkRows = defineTask<typeof import('./check-rows-task.ts').default>(
  new URL('./check-rows-task.ts', import.meta.url),
)
const compare = defineTask<typeof import('./compare-task.ts').default>(
  new URL('./compare-task.ts', import.meta.url),
)

export interface InspectScope {
  readonly database: Database
  readonly workers: Workers
  readonly schemaFiles: SchemaFiles
  /** All tables of all sections. */
  readonly tables: () => readonly SectionTable[]
  /** The sections that this service can restore, as the plugins for them are on. */
  readonly available: Sections
  readonly limits: () => ArchiveLimits
}

/** An archive that is whole, and how it fits this service. */
export interface InspectedArchive {
  readonly path: string
  readonly verified: VerifiedArchive
  readonly sections: Sections
  readonly fit: Fit
  /** The schema files that the archive has, of the sections asked for. */
  readonly schemaFiles: readonly ArchivedSchemaFile[]
}

/** What a restore would change. */
export interface Preview {
  readonly changes: Readonly<Partial<Record<SectionName, unknown>>>
  readonly problems: readonly ErrorDetail[]
  readonly restartRequired: boolean
  readonly replacedRoles: ReplacedRoles
}

export interface PreviewOptions {
  /** Whether whoever asks could give the role to a content user. */
  readonly mayGiveRole: MayGiveRole
  readonly signal: AbortSignal
}

/** The file of a backup on this machine. */
export interface ArchiveFile {
  readonly path: string
  readonly backup: BackupRow
}

/** Looks at archives without changing anything. */
export interface Inspector {
  /** Checks all of a file. @throws AppError 400 if it is damaged, or of another kind */
  verify(path: string, checksum: string | undefined, signal: AbortSignal): Promise<VerifiedArchive>
  /** Looks at the file of a backup. @throws AppError 400 if it is damaged or lacks a section */
  inspect(
    file: ArchiveFile,
    asked: Partial<Sections> | undefined,
    signal: AbortSignal,
  ): Promise<InspectedArchive>
  /**
   * Reads all rows: answers what would be lost if they were restored.
   * @throws AppError 400 if a value is of another kind than its column
   */
  problemsOf(archive: InspectedArchive, signal: AbortSignal): Promise<readonly ErrorDetail[]>
  preview(archive: InspectedArchive, options: PreviewOptions): Promise<Preview>
}

export function createInspector(scope: InspectScope): Inspector {
  const { database, workers, schemaFiles } = scope

  const verifyPath: Inspector['verify'] = async (path, checksum, signal) => {
    const options = { signal, timeoutMs: longestTaskMs }
    const limits = scope.limits()
    return expectSound(await workers.runLong(verify, { path, checksum, limits }, options).catch(orTooLarge))
  }

  async function problemsOf({ path, verified, fit }: InspectedArchive, signal: AbortSignal) {
    // Values cannot be held to columns that are of another kind.
    if (fit.problems.length > 0) return fit.problems
    const tables = fit.tables.map(({ archived, target: { label }, columns }) => ({
      archived,
      label,
      columns,
    }))
    const work = { path, entries: verified.entries, tables }
    const options = { signal, timeoutMs: longestTaskMs }
    return expectSound(await workers.runLong(checkRows, work, options).catch(orTooLarge)).problems
  }

  return {
    verify: verifyPath,
    async inspect({ path, backup }, asked, signal) {
      const verified = await verifyPath(path, backup.checksum ?? undefined, signal)
      const sections = chosenSections(verified.manifest.sections, asked, scope.available)
      return {
        ...{ path, verified, sections },
        fit: fitTables(verified.manifest, scope.tables(), sections),
        schemaFiles: await readSchemaFiles(path, verified, sections),
      }
    },
    problemsOf,
    async preview(archive, { mayGiveRole, signal }) {
      const { sections } = archive
      const problems = await problemsOf(archive, signal)
      const rows = await rowChanges(archive, signal)
      const files = await fileChanges(archive)
      return {
        changes: { ...rows, ...files },
        problems: [...problems, ...(await schemaProblems(archive))],
        replacedRoles: await replacedRolesIn(archive, mayGiveRole),
        restartRequired: (['schemas', 'components'] as const).some(
          (section) => sections[section] && hasChanges(files[section]),
        ),
      }
    },
  }

  async function rowChanges({ path, verified, fit }: InspectedArchive, signal: AbortSignal) {
    const tables = [
      ...fit.tables.map(({ archived, target }) => ({ archived, target })),
      ...fit.emptied.map((target) => ({ archived: undefined, target })),
    ]
    const changes = await workers.runLong(
      compare,
      {
        source: database.snapshotSource,
        path,
        entries: verified.entries,
        tables: tables.map(({ archived, target }) => ({
          archived,
          running: toDump(target),
          ignored: ignoredColumns(target),
        })),
      },
      { signal, timeoutMs: longestTaskMs },
    )
    const bySection: Record<string, Record<string, unknown>> = {}
    tables.forEach(({ target }, index) => {
      bySection[target.section] = { ...bySection[target.section], [target.label]: changes[index] }
    })
    return bySection
  }

  async function fileChanges({ sections, schemaFiles: files }: InspectedArchive) {
    const changes: Partial<Record<'schemas' | 'components', SchemaFileChanges>> = {}
    for (const section of ['schemas', 'components'] as const) {
      if (!sections[section]) continue
      const archived = files.filter((file) => file.section === section)
      changes[section] = await schemaFiles.compare(
        section,
        new Map(archived.map(({ name, content }) => [name, content])),
      )
    }
    return changes
  }

  async function schemaProblems({ schemaFiles: files }: InspectedArchive): Promise<readonly ErrorDetail[]> {
    try {
      await schemaFiles.requireUsable(await schemaFiles.differing(files))
      return []
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return error.details ?? [{ path: 'schemas', code: 'unusable', message: error.message }]
    }
  }
}

/** @throws AppError 400 */
function expectSound<Checked extends object>(
  checked: Checked | { readonly problem: string },
): Exclude<Checked, { readonly problem: string }> {
  if (!('problem' in checked)) return checked as Exclude<Checked, { readonly problem: string }>
  throw AppError.invalid([{ path: 'file', code: 'damaged', message: `the backup ${checked.problem}` }])
}

/** What brings its thread down would do so again. */
function orTooLarge(error: unknown): { readonly problem: string } {
  if (!(error instanceof WorkerTaskError) || error.reason !== 'crashed') throw error
  return { problem: 'takes more memory to be checked than there is' }
}

/** Restored rows get new ones, so a difference says nothing. */
function ignoredColumns({ name, type }: SectionTable): string[] {
  if (name === configTableName) return ['updated_at', 'updated_by']
  return type === 'user' ? ['token_version'] : []
}

const hasChanges = (changes: SchemaFileChanges | undefined) =>
  changes !== undefined && changes.added.length + changes.changed.length > 0

function chosenSections(
  archived: Sections,
  asked: Partial<Sections> | undefined,
  available: Sections,
): Sections {
  const chosen = asked === undefined ? archived : readSections(asked, archived)
  for (const section of sectionNames.filter((name) => chosen[name])) {
    if (!archived[section]) throw sectionProblem(section, 'is not in this backup')
    if (!available[section]) throw sectionProblem(section, 'cannot be restored while its plugin is off')
  }
  return chosen
}

function sectionProblem(section: string, message: string): AppError {
  return AppError.invalid([{ path: `sections.${section}`, code: 'missing', message }])
}

/**
 * The sections that are meant: those named true; where there are none, all that there are but those named false.
 * @throws AppError 400 if that leaves none
 */
export function readSections(asked: Partial<Sections>, all: Sections): Sections {
  const isAnyNamed = Object.values(asked).includes(true)
  const isMeant = (name: SectionName) =>
    isAnyNamed ? asked[name] === true : asked[name] !== false && all[name]
  const sections = Object.fromEntries(sectionNames.map((name) => [name, isMeant(name)])) as Record<
    SectionName,
    boolean
  >
  if (Object.values(sections).includes(true)) return sections
  throw AppError.invalid([{ path: 'sections', code: 'minItems', message: 'leaves nothing' }])
}

async function readSchemaFiles(path: string, { entries }: VerifiedArchive, sections: Sections) {
  const archive = await openArchive(path)
  try {
    const files: ArchivedSchemaFile[] = []
    for (const entry of entries) {
      const [section, name] = entry.name.split('/')
      if ((section !== 'schemas' && section !== 'components') || name === undefined) continue
      if (sections[section]) files.push({ section, name, content: await archive.read(entry) })
    }
    return files
  } finally {
    await archive.close()
  }
}

async function replacedRolesIn({ path, verified, fit }: InspectedArchive, mayGiveRole: MayGiveRole) {
  const archive = await openArchive(path)
  try {
    return await findReplacedRoles({ archive, entries: entryIndex(verified), fit }, mayGiveRole)
  } finally {
    await archive.close()
  }
}

/** The files of an archive by name, without media. */
export function entryIndex({ entries }: VerifiedArchive): EntryIndex {
  return new Map(entries.map((entry) => [entry.name, entry]))
}
