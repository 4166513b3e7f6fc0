import { auditService } from '../core-plugins/audit/audit.ts'
import { operator } from '../core-plugins/auth/auth.ts'
import { type SchemaChange, schemaSyncService } from '../core-plugins/database/database.ts'
import { CommandError } from '../core-plugins/extensions/extensions.ts'
import type { Kernel } from '../kernel/index.ts'
import { defineCoreCommand } from './command.ts'
import { startServices, startUnbooted } from './partial-service.ts'
import { formatTable } from './table.ts'

export const databaseStatusCommand = defineCoreCommand({
  name: 'database status',
  summary: 'says whether the database answers, and how many tables the service has',
  example: 'database status',
  hasJson: true,
  run: ({ project }) =>
    inKernel(startUnbooted(project), async (kernel) => {
      const status = await kernel.get(schemaSyncService).status()
      return { text: `${status.dialect} answers; ${status.tables} tables`, json: status }
    }),
})

export const databasePreviewCommand = defineCoreCommand({
  name: 'database preview',
  summary: 'shows what the tables lack to be as the schemas say, and what would be lost; changes nothing',
  example: 'database preview --json',
  hasJson: true,
  run: ({ project }) =>
    inKernel(startUnbooted(project), async (kernel) => {
      const changes = await kernel.get(schemaSyncService).preview()
      const text = changes.length === 0 ? 'The tables are as the schemas say' : changeTable(changes)
      return { text, json: changes }
    }),
})

export const databaseSyncCommand = defineCoreCommand({
  name: 'database sync',
  summary: 'makes the tables as the schemas say, as far as nothing is lost; creates those of a new database',
  example: 'database sync --allow-destructive',
  options: {
    allowDestructive: { type: 'boolean', summary: 'also what loses something, after copying it aside' },
    drafts: {
      type: 'string',
      summary: 'for types that no longer have drafts: article=publish,page=delete',
    },
  },
  hasJson: true,
  run: ({ project, options: { allowDestructive, drafts } }) => {
    const decisions = decisionsIn(drafts)
    // To publish entries takes all services; the tables of a new database have no drafts.
    const starting = drafts === undefined ? startUnbooted(project) : startServices(project)
    return inKernel(starting, async (kernel) => {
      const request = { allowDestructive, drafts: decisions, principal: operator, ip: '' }
      const { applied, pending } = await kernel.get(schemaSyncService).sync(request)
      const details = { allowDestructive, changes: applied.length, by: 'command line' }
      await kernel.get(auditService).record({ action: 'database.sync', principal: null, details })
      return { text: syncText(applied, pending), json: { applied, pending } }
    })
  },
})

async function inKernel<T>(starting: Promise<Kernel>, work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const kernel = await starting
  try {
    return await work(kernel)
  } finally {
    await kernel.stop()
  }
}

/** @throws CommandError */
function decisionsIn(text = ''): Record<string, 'publish' | 'delete'> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [type = '', decision] = pair.split('=').map((part) => part.trim())
      if (type !== '' && (decision === 'publish' || decision === 'delete')) return [type, decision]
      throw new CommandError(`--drafts must be like article=publish,page=delete, not ${pair}`)
    }),
  )
}

function syncText(
  applied: readonly (SchemaChange & { readonly backup?: string | undefined })[],
  pending: readonly SchemaChange[],
): string {
  if (applied.length + pending.length === 0) return 'The tables are as the schemas say'
  const copies = applied.flatMap(({ backup }) => (backup === undefined ? [] : [`What went is in ${backup}`]))
  const done = applied.length === 0 ? [] : [`Applied ${applied.length}:`, changeTable(applied), ...copies]
  const rest = pending.length === 0 ? [] : [`Left undone ${pending.length}:`, changeTable(pending)]
  return [...done, ...rest].join('\n')
}

function changeTable(changes: readonly SchemaChange[]): string {
  return formatTable(
    changes.map(({ change, table, column, safe, reason }) => [
      change,
      column === null ? table : `${table}.${column}`,
      safe ? 'loses nothing' : (reason ?? 'loses something'),
    ]),
  )
}
