import { type ContentUserSignIn, operator } from '../../accounts/auth/auth.ts'
import type { Media } from '../../delivery/media/media.ts'
import type { ContentReads, StoredEntries } from '../../entries/content/content.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Downloads, ImportService } from '../import-export/import-export.ts'
import { bringFiles, bringFolders } from './bring-media.ts'
import { bringUsers } from './bring-users.ts'
import { laterRecords, publicRecords } from './import-records.ts'
import type { Migrated } from './migrated.ts'
import type { BothSides, MigrationReport, MigrationRequest, Migrations } from './migrations-service.ts'
import type { Download, MigrationSource } from './source.ts'

export interface MigrationDeps {
  readonly content: ContentReads
  readonly contentUsers: ContentUserSignIn
  readonly database: Database
  readonly imports: ImportService
  readonly media: Media
  readonly migrated: Migrated
  readonly downloads: Downloads
  readonly schemas: Schemas
  readonly storedEntries: StoredEntries
  /** Bytes. */
  maxFileSize(): number
}

export function createMigrations(deps: MigrationDeps): Migrations {
  return {
    run: (source, request) => migrate(source, request, deps),
    async forget(name) {
      await deps.imports.forget(name)
      await deps.imports.forget(laterOf(name))
    },
  }
}

/** Each step finds what an earlier run has created, so an interrupted migration can be started again. */
async function migrate(
  source: MigrationSource,
  { name, signal, isTrial = false, progress }: MigrationRequest,
  deps: MigrationDeps,
): Promise<MigrationReport> {
  const { imports, downloads, maxFileSize } = deps
  const download: Download = (url, path) => downloads.fetch(url, path, { maxBytes: maxFileSize(), signal })
  const parts = { ...deps, signal, isTrial, download, principal: operator }
  progress('Folders and files …')
  const folders = await bringFolders(source, parts)
  const files = await bringFiles(source, folders.ids, parts)
  progress('Users …')
  const users = await bringUsers(source, deps)
  const total = source.types.reduce((sum, { entries }) => sum + entries, 0)
  const request = { match: 'uuid', principal: operator, signal }
  const entries = await imports.importRecords({
    ...request,
    name,
    records: publicRecords(source, deps),
    onProgress: ({ records }) => progress(`Entries … ${records} of ${total}`),
  })
  progress('Drafts of published entries, and what refers to entries of the same type …')
  const later = await imports.importRecords({
    ...request,
    name: laterOf(name),
    records: laterRecords(source, deps),
    onProgress: ({ records }) => progress(`Drafts and references … ${records}`),
  })
  return {
    counts: [
      ...(await countTypes(source, deps)),
      { subject: 'users', there: source.counts.users, here: users.here },
      { subject: 'files', there: source.counts.files, here: files.here },
      { subject: 'folders', there: source.counts.folders, here: folders.here },
    ],
    findings: [...source.findings, ...files.problems],
    created: entries.created,
    updated: entries.updated + later.updated,
    unchanged: entries.unchanged,
    problems: [...entries.problems, ...later.problems],
    problemCount: entries.problemCount + later.problemCount,
  }
}

/** The name of the second import, for `laterRecords`. */
const laterOf = (name: string) => `${name}:later`

async function countTypes(
  source: MigrationSource,
  { content, schemas }: MigrationDeps,
): Promise<BothSides[]> {
  const counts: BothSides[] = []
  for (const { type, entries } of source.types) {
    const isSingle = schemas.types.get(type)?.kind === 'singleType'
    const here = isSingle
      ? await countSingle(type, source.locales, { content, schemas })
      : ((await content.list(type, 'limit=1', operator)).pagination as { total: number }).total
    counts.push({ subject: type, there: entries, here })
  }
  return counts
}

async function countSingle(
  type: string,
  locales: readonly string[],
  { content, schemas }: Pick<MigrationDeps, 'content' | 'schemas'>,
): Promise<number> {
  const queries = schemas.types.get(type)?.options.i18n.enabled
    ? locales.map((locale) => `locale=${locale}`)
    : ['']
  let count = 0
  for (const query of queries) if ((await content.findSingle(type, query, operator)) !== undefined) count += 1
  return count
}
