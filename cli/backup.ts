import { createWriteStream } from 'node:fs'
import { access, rm } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type BackupOperations,
  backupOperationsService,
} from '../core-plugins/administration/backups/backup-operations.ts'
import { auditService } from '../core-plugins/background/audit/audit.ts'
import { createJobsPlugin } from '../core-plugins/background/jobs/plugin.ts'
import { type Sections, sectionNames } from '../core-plugins/foundation/sections/sections.ts'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import type { ServiceOptions } from '../service.ts'
import { defineCoreCommand } from './command.ts'
import { confirm } from './confirm.ts'
import { startServices } from './partial-service.ts'
import { formatTable } from './table.ts'

const sectionsOption = {
  sections: { type: 'string', summary: `only these: ${sectionNames.join(',')}` },
} as const
const idArgument = { id: { summary: 'its number in `backup list`' } }

export const backupCreateCommand = defineCoreCommand({
  name: 'backup create',
  summary: 'makes a backup, beside a running service or without one',
  example: "backup create --name 'Before the relaunch' --sections content,media",
  options: {
    name: { type: 'string', summary: 'default: the time' },
    retentionDays: { type: 'integer', summary: 'days until it is removed (default: 30)' },
    ...sectionsOption,
  },
  hasJson: true,
  run: ({ project, options: { name, retentionDays, sections } }) => {
    const wanted = { name, retentionDays: daysIn(retentionDays), sections: sectionsIn(sections) }
    return withBackups(project, async ({ backups, record }) => {
      const backup = await backups.create(wanted)
      await record('backup.create', backup.id)
      return { text: `Made backup ${backup.id}, ${inMebibytes(backup.size)}`, json: backup }
    })
  },
})

export const backupListCommand = defineCoreCommand({
  name: 'backup list',
  summary: 'lists the backups, newest first',
  example: 'backup list --limit 5',
  options: { limit: { type: 'integer', summary: 'default: 25' } },
  hasJson: true,
  run: ({ project, options: { limit = 25 } }) =>
    withBackups(project, async ({ backups }) => {
      const found = await backups.list({ limit: Math.min(Math.max(limit, 1), 1000), offset: 0 })
      const rows = found.map(({ id, status, created_at, size, name }) => [
        ...[String(id), status, created_at, inMebibytes(size), name],
      ])
      return { text: rows.length === 0 ? 'There are no backups' : formatTable(rows), json: found }
    }),
})

export const backupUploadCommand = defineCoreCommand({
  name: 'backup upload',
  summary: 'adds a backup from a file, of this service or another one',
  example: 'backup upload backup-7.tar',
  arguments: { file: { summary: 'a file that was downloaded' } },
  options: { name: { type: 'string', summary: 'default: the name in it' } },
  hasJson: true,
  run: ({ project, arguments: { file }, options: { name }, signal }) =>
    withBackups(project, async ({ backups, record }) => {
      const path = resolve(project.workingDirectory, file)
      await access(path).catch(() => {
        throw new CommandError(`${file} cannot be read`)
      })
      const backup = await backups.upload(path, { name }, signal)
      await record('backup.upload', backup.id)
      return {
        text: `Added backup ${backup.id}: restore it with \`backup restore ${backup.id}\``,
        json: backup,
      }
    }),
})

export const backupDownloadCommand = defineCoreCommand({
  name: 'backup download',
  summary: 'writes the file of a backup, which holds addresses and password hashes',
  example: 'backup download 7 /media/stick/backup-7.tar',
  arguments: { ...idArgument, file: { summary: 'default: backup-<id>.tar', isOptional: true } },
  run: ({ project, arguments: { id, file = `backup-${id}.tar` }, signal }) =>
    withBackups(project, async ({ backups, record }) => {
      const path = resolve(project.workingDirectory, file)
      const source = await backups.download(idIn(id))
      await writeNew(path, source, signal)
      await record('backup.download', idIn(id))
      return `Wrote ${relative(project.workingDirectory, path)}`
    }),
})

export const backupRestoreCommand = defineCoreCommand({
  name: 'backup restore',
  summary: 'restores a backup, all or nothing, after asking; --dry-run says what that would change',
  example: 'backup restore 7 --dry-run',
  arguments: idArgument,
  options: {
    dryRun: { type: 'boolean', summary: 'changes nothing' },
    yes: { type: 'boolean', summary: 'does not ask' },
    ...sectionsOption,
  },
  hasJson: true,
  run: async (context) => {
    const { project, arguments: given, options } = context
    const [id, sections] = [idIn(given.id), sectionsIn(options.sections)]
    if (!options.dryRun && !options.yes) {
      await confirm(`Replace the content with that of backup ${id}?`, context.terminal)
    }
    return withBackups(project, async ({ backups }) => {
      if (!options.dryRun) {
        const report = await backups.restore(id, sections)
        const restart =
          report.restartRequired === true ? '; restart the service, as schema files changed' : ''
        return { text: `Restored backup ${id}${restart}\n${pretty(report.restored)}`, json: report }
      }
      const report = await backups.preview(id, sections, context.signal)
      const text = `${pretty(report.changes)}\n${problemsText(report.problems)}`
      return { text, json: report, isFailure: report.success !== true }
    })
  },
})

interface Backups {
  readonly backups: BackupOperations
  record(action: string, id: number): Promise<void>
}

/** The kinds of jobs that these commands wait for. This process and the service both run them; the faster one claims a job. */
const kinds = ['backup.create', 'backup.restore']

async function withBackups<T>(project: ServiceOptions, work: (parts: Backups) => Promise<T>): Promise<T> {
  const kernel = await startServices(project, { steps: ['jobs:run'], replaced: [createJobsPlugin(kinds)] })
  try {
    const audit = kernel.get(auditService)
    return await work({
      backups: kernel.get(backupOperationsService),
      record: (action, id) =>
        audit.record({ action, principal: null, resource: `backup:${id}`, details: { by: 'command line' } }),
    })
  } finally {
    await kernel.stop()
  }
}

/** @throws CommandError */
function idIn(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new CommandError(`${text} is not the number of a backup; \`backup list\` shows them`)
}

function daysIn(days: number | undefined): number | undefined {
  if (days === undefined || (days >= 0 && days <= 36_500)) return days
  throw new CommandError('--retention-days must be from 0 to 36500')
}

/** @throws CommandError */
function sectionsIn(text: string | undefined): Partial<Sections> | undefined {
  if (text === undefined) return undefined
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !sectionNames.some((each) => each === name))
  if (unknown.length === 0) return Object.fromEntries(names.map((name) => [name, true]))
  throw new CommandError(`--sections has no ${unknown.join(', ')}; there are ${sectionNames.join(', ')}`)
}

/** Readable by its owner only. @throws CommandError if the file is there already */
async function writeNew(path: string, source: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CommandError(`${path} already exists`)
    await rm(path, { force: true })
    throw error
  }
}

function problemsText(problems: unknown): string {
  if (!Array.isArray(problems) || problems.length === 0) return 'Nothing prevents the restore'
  const lines = problems.map(({ path, message }: { path: string; message: string }) => `  ${path} ${message}`)
  return ['It cannot be restored:', ...lines].join('\n')
}

const pretty = (value: unknown) => JSON.stringify(value ?? {}, null, 2)

const inMebibytes = (bytes: number | null) => (bytes === null ? '-' : `${(bytes / 1024 ** 2).toFixed(1)} MiB`)
