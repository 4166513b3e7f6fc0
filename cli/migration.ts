import { resolve } from 'node:path'
import { operator } from '../core-plugins/accounts/auth/auth.ts'
import {
  MigrationError,
  type MigrationSource,
  migrationsService,
  type SchemaFileChange,
  schemaFileChanges,
} from '../core-plugins/administration/migrations/migrations.ts'
import {
  createSchemaFolder,
  formatSchema,
  type SchemaFolder,
} from '../core-plugins/administration/schema-files/schema-files.ts'
import { auditService } from '../core-plugins/background/audit/audit.ts'
import { configService } from '../core-plugins/foundation/config/config.ts'
import { type SchemaChange, schemaSyncService } from '../core-plugins/foundation/database/database.ts'
import { type SchemaTexts, schemasFolderOf } from '../core-plugins/foundation/schemas/schemas.ts'
import { CommandError, type CommandResult } from '../core-plugins/panel/extensions/extensions.ts'
import type { Kernel } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { confirm, type Terminal } from './confirm.ts'
import { listIn } from './list-option.ts'
import { migrationName } from './migration-options.ts'
import { isIncomplete, previewText, reportText } from './migration-text.ts'
import { inKernel, startServices, startSettings, startThrowaway, startUnbooted } from './partial-service.ts'
import { inThrowaway } from './throwaway.ts'

/** What the commands that bring in content of other systems are called with. */
export interface MigrationInput {
  readonly project: ServiceOptions
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** Of the migration; see `MigrationRequest`. */
  readonly name: string
  readonly options: { readonly dryRun: boolean; readonly force: boolean; readonly again: boolean }
  progress(line: string): void
}

/** What a command that brings in an export is called with. */
interface ExportInput extends Omit<MigrationInput, 'name' | 'options'> {
  readonly arguments: { readonly file: string }
  readonly options: MigrationInput['options'] & { readonly types?: string | undefined }
}

/** The export of a system, and what is wanted of it. */
export interface WantedExport {
  readonly path: string
  readonly types: readonly string[] | undefined
}

/** Brings in an export, and closes it in any case. @throws CommandError */
export function bringInExport(
  input: ExportInput,
  open: (wanted: WantedExport) => Promise<MigrationSource>,
): Promise<CommandResult> {
  return withMigrationErrors(async () => {
    const { project, arguments: given, options } = input
    const path = resolve(project.workingDirectory, given.file)
    const types = options.types === undefined ? undefined : listIn(options.types)
    const source = await open({ path, types })
    try {
      return await bringIn(source, { ...input, name: await migrationName(source, path, types) })
    } finally {
      await source.close()
    }
  })
}

/** Declares the types of another system, makes their tables, and brings in its content. */
async function bringIn(source: MigrationSource, input: MigrationInput): Promise<CommandResult> {
  const folder = await schemaFolder(input.project)
  const before = await folder.read()
  const changes = schemaFileChanges(source, before)
  if (input.options.dryRun) return tryOut(source, before, changes, input)
  await agreeOn(changes, input)
  await writeFiles(folder, before, changes, input.project)
  const report = await inKernel(
    startServices(input.project, { steps: ['search:prepare'] }),
    async (kernel) => {
      const migrations = kernel.get(migrationsService)
      if (input.options.again) await migrations.forget(input.name)
      const done = await migrations.run(source, input)
      const details = {
        system: source.title,
        created: done.created,
        updated: done.updated,
        by: 'command line',
      }
      await kernel.get(auditService).record({ action: 'content.migrate', principal: null, details })
      return done
    },
  )
  return { text: reportText(source, report), json: report, isFailure: isIncomplete(report) }
}

/** Does the same in a service that is thrown away, so that everything is checked as it will be, and nothing is changed here. */
async function tryOut(
  source: MigrationSource,
  before: SchemaTexts,
  changes: readonly SchemaFileChange[],
  input: MigrationInput,
): Promise<CommandResult> {
  return inThrowaway(input.project, before.texts, async (project) => {
    const folder = await schemaFolder(project)
    await writeFiles(folder, await folder.read(), changes, project)
    const report = await inKernel(startThrowaway(project), (kernel) =>
      kernel.get(migrationsService).run(source, { ...input, isTrial: true }),
    )
    const files = changes.map(({ path, state, content }) => ({ path, state, content }))
    const json = { title: source.title, files, types: source.types, counts: source.counts, report }
    return { text: previewText(source, changes, report), json, isFailure: isIncomplete(report) }
  })
}

/** Shows what is wrong with the other system's content without a stack trace. @throws CommandError */
async function withMigrationErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof MigrationError ? new CommandError(error.message) : error
  }
}

async function schemaFolder(project: ServiceOptions): Promise<SchemaFolder> {
  return inKernel(startSettings(project), async (kernel) =>
    createSchemaFolder(schemasFolderOf(kernel.get(configService)).directory),
  )
}

/** Asks before schema files are replaced. @throws CommandError */
async function agreeOn(
  changes: readonly SchemaFileChange[],
  { options, terminal }: MigrationInput,
): Promise<void> {
  const different = changes.filter(({ state }) => state === 'different').map(({ path }) => path)
  if (different.length === 0 || options.force) return
  const files = `These schema files are there already, and declare something else: ${different.join(', ')}.`
  if (terminal.input.isTTY !== true) {
    throw new CommandError(
      `${files} Replace them with --force, or leave their types out with --types; --dry-run shows what they would be`,
    )
  }
  await confirm(`${files} Replace them?`, terminal)
}

/** Files with which the service would not start, or would lose data, are taken back. @throws CommandError, StartupError */
async function writeFiles(
  folder: SchemaFolder,
  before: SchemaTexts,
  changes: readonly SchemaFileChange[],
  project: ServiceOptions,
): Promise<void> {
  const written = changes.filter(({ state }) => state !== 'same')
  const texts = written.map(
    ({ path, content }) => [path, formatSchema(content, textBefore(before.texts.get(path)))] as const,
  )
  await folder.write(new Map(texts), before)
  try {
    await inKernel(startUnbooted(project), makeTables)
  } catch (error) {
    const after = await folder.read()
    await folder.write(new Map(texts.map(([path]) => [path, before.texts.get(path) ?? null])), after)
    throw error
  }
}

/** A file that is no JSON has no layout to be kept. */
function textBefore(text: string | undefined): string | undefined {
  try {
    if (text !== undefined) JSON.parse(text)
    return text
  } catch {
    return undefined
  }
}

/** @throws CommandError if something would be lost */
async function makeTables(kernel: Kernel): Promise<void> {
  const sync = kernel.get(schemaSyncService)
  const lossy = (await sync.preview()).filter(({ safe }) => !safe)
  if (lossy.length > 0)
    throw new CommandError(
      `The tables would lose something:\n${lossy.map(changeLine).join('\n')}\nThe schema files are as they were`,
    )
  await sync.sync({ allowDestructive: false, dropDataOf: [], drafts: {}, principal: operator, ip: '' })
}

const changeLine = ({ table, column, change, reason }: SchemaChange) =>
  `  ${column === null ? table : `${table}.${column}`}: ${change}, ${reason ?? 'loses something'}`
