import type { Database } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import { type SectionName, type Sections, sectionNames } from '../../../foundation/sections/sections.ts'
import { defineTask, type Threads, ThreadTaskError } from '../../../foundation/threads/threads.ts'
import type { ArchiveLimits } from '../archive/limits.ts'
import { openArchive } from '../archive/read-archive.ts'
import type { EntryIndex } from '../archive/rows.ts'
import type { VerifiedArchive } from '../archive/verify-task.ts'
import { longestTaskMs } from '../pack/pack-archive.ts'
import { configTableName, type SectionTable, toDump } from '../section-tables.ts'
import type { BackupRow } from '../tables.ts'
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

export interface InspectDeps {
  readonly database: Database
  readonly threads: Threads
  readonly schemaFiles: SchemaFiles
  /** All tables of all sections. */
  readonly tables: () => readonly SectionTable[]
  /** The sections that this service can restore, which depend on the active plugins. */
  readonly available: Sections
  readonly limits: () => ArchiveLimits
}

/** An intact archive, and how it fits this service. */
export interface InspectedArchive {
  readonly path: string
  readonly verified: VerifiedArchive
  readonly sections: Sections
  readonly fit: Fit
  /** The schema files of the archive, from the requested sections. */
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
  /** Whether the caller could assign the role to a content user. */
  readonly mayGiveRole: MayGiveRole
  readonly signal: AbortSignal
}

/** The local file of a backup. */
export interface ArchiveFile {
  readonly path: string
  readonly backup: BackupRow
}

/** Inspects archives without changing anything. */
export interface Inspector {
  /** Verifies a whole file. @throws AppError 400 if it is damaged or of another kind */
  verify(path: string, checksum: string | undefined, signal: AbortSignal): Promise<VerifiedArchive>
  /** Inspects the file of a backup. @throws AppError 400 if it is damaged or lacks a section */
  inspect(
    file: ArchiveFile,
    asked: Partial<Sections> | undefined,
    signal: AbortSignal,
  ): Promise<InspectedArchive>
  /**
   * Reads all rows and returns what would be lost if they were restored.
   * @throws AppError 400 if a value is of another type than its column
   */
  problemsOf(archive: InspectedArchive, signal: AbortSignal): Promise<readonly ErrorDetail[]>
  preview(archive: InspectedArchive, options: PreviewOptions): Promise<Preview>
}

class ArchiveInspector implements Inspector {
  readonly #deps: InspectDeps

  constructor(deps: InspectDeps) {
    this.#deps = deps
  }

  async verify(path: string, checksum: string | undefined, signal: AbortSignal) {
    const work = { path, checksum, limits: this.#deps.limits() }
    const options = { signal, timeoutMs: longestTaskMs }
    return assertSound(await this.#deps.threads.runLong(verify, work, options).catch(orTooLarge))
  }

  async inspect({ path, backup }: ArchiveFile, asked: Partial<Sections> | undefined, signal: AbortSignal) {
    const verified = await this.verify(path, backup.checksum ?? undefined, signal)
    const sections = chosenSections(verified.manifest.sections, asked, this.#deps.available)
    return {
      ...{ path, verified, sections },
      fit: fitTables(verified.manifest, this.#deps.tables(), sections),
      schemaFiles: await readSchemaFiles(path, verified, sections),
    }
  }

  async problemsOf({ path, verified, fit }: InspectedArchive, signal: AbortSignal) {
    // Values cannot be checked against columns of another type.
    if (fit.problems.length > 0) return fit.problems
    const tables = fit.tables.map(({ archived, target: { label }, columns }) => ({
      archived,
      label,
      columns,
    }))
    const work = { path, entries: verified.entries, tables }
    const options = { signal, timeoutMs: longestTaskMs }
    return assertSound(await this.#deps.threads.runLong(checkRows, work, options).catch(orTooLarge)).problems
  }

  async preview(archive: InspectedArchive, { mayGiveRole, signal }: PreviewOptions) {
    const { sections } = archive
    const { schemaFiles } = this.#deps
    const problems = await this.problemsOf(archive, signal)
    const rows = await rowChanges(archive, this.#deps, signal)
    const files = await fileChanges(archive, schemaFiles)
    return {
      changes: { ...rows, ...files },
      problems: [...problems, ...(await schemaProblems(archive, schemaFiles))],
      replacedRoles: await replacedRolesIn(archive, mayGiveRole),
      restartRequired: (['schemas', 'components'] as const).some(
        (section) => sections[section] && hasChanges(files[section]),
      ),
    }
  }
}

/** Creates the inspector of this service's archives. */
export function createInspector(deps: InspectDeps): Inspector {
  return new ArchiveInspector(deps)
}

/** What a restore would change in the tables, by section and label. */
async function rowChanges(
  { path, verified, fit }: InspectedArchive,
  { database, threads }: Pick<InspectDeps, 'database' | 'threads'>,
  signal: AbortSignal,
) {
  const tables = [
    ...fit.tables.map(({ archived, target }) => ({ archived, target })),
    ...fit.emptied.map((target) => ({ archived: undefined, target })),
  ]
  const changes = await threads.runLong(
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

async function fileChanges({ sections, schemaFiles: files }: InspectedArchive, schemaFiles: SchemaFiles) {
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

async function schemaProblems(
  { schemaFiles: files }: InspectedArchive,
  schemaFiles: SchemaFiles,
): Promise<readonly ErrorDetail[]> {
  try {
    await schemaFiles.assertUsable(await schemaFiles.differing(files))
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.details ?? [{ path: 'schemas', code: 'unusable', message: error.message }]
  }
}

/** @throws AppError 400 */
function assertSound<Checked extends object>(
  checked: Checked | { readonly problem: string },
): Exclude<Checked, { readonly problem: string }> {
  if (!('problem' in checked)) return checked as Exclude<Checked, { readonly problem: string }>
  throw AppError.invalid([{ path: 'file', code: 'damaged', message: `the backup ${checked.problem}` }])
}

/** An archive that crashes its thread would do so again. */
function orTooLarge(error: unknown): { readonly problem: string } {
  if (!(error instanceof ThreadTaskError) || error.reason !== 'crashed') throw error
  return { problem: 'takes more memory to be checked than there is' }
}

/** Restored rows get new ones, so a difference is meaningless. */
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
 * The selected sections: those that are true; if there are none, all except those that are false.
 * @throws AppError 400 if that leaves none
 */
export function readSections(asked: Partial<Sections>, all: Sections): Sections {
  if (Object.keys(asked).length === 0) refuseSections('names none; leave it out where all are meant')
  const isAnyNamed = Object.values(asked).includes(true)
  const isMeant = (name: SectionName) =>
    isAnyNamed ? asked[name] === true : asked[name] !== false && all[name]
  const sections = Object.fromEntries(sectionNames.map((name) => [name, isMeant(name)])) as Record<
    SectionName,
    boolean
  >
  if (Object.values(sections).includes(true)) return sections
  return refuseSections('leaves nothing')
}

function refuseSections(message: string): never {
  throw AppError.invalid([{ path: 'sections', code: 'minItems', message }])
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

/** The files of an archive by name, media excluded. */
export function entryIndex({ entries }: VerifiedArchive): EntryIndex {
  return new Map(entries.map((entry) => [entry.name, entry]))
}
