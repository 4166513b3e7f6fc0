import { operator } from '../core-plugins/accounts/auth/auth.ts'
import { auditService } from '../core-plugins/background/audit/audit.ts'
import {
  databaseService,
  type SchemaChange,
  schemaRecordService,
  schemaSyncService,
} from '../core-plugins/foundation/database/database.ts'
import {
  findIncompleteDrafts,
  incompleteDraftsText,
  schemasService,
} from '../core-plugins/foundation/schemas/schemas.ts'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import type { Kernel } from '../kernel/index.ts'
import { defineCoreCommand } from './command.ts'
import { listIn } from './list-option.ts'
import { inKernel, startServices, startUnbooted } from './partial-service.ts'
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
      return { text: [text, ...(await draftWarnings(kernel))].join('\n'), json: changes }
    }),
})

export const databaseSyncCommand = defineCoreCommand({
  name: 'database sync',
  summary: 'makes the tables as the schemas say, as far as nothing is lost; creates those of a new database',
  example: 'database sync --allow-destructive',
  options: {
    allowDestructive: { type: 'boolean', summary: 'also what loses something, after copying it aside' },
    dropDataOf: { type: 'string', summary: 'plugins that are off, and whose data goes too: shop,polls' },
    drafts: {
      type: 'string',
      summary: 'for types that no longer have drafts: article=publish,page=delete',
    },
    trash: {
      type: 'string',
      summary: 'for types that no longer have a trash: article=restore,page=delete',
    },
  },
  hasJson: true,
  run: ({ project, options: { allowDestructive, dropDataOf, drafts, trash } }) => {
    const dropped = listIn(dropDataOf)
    const ofDrafts = decisionsIn('drafts', drafts, ['publish', 'delete'])
    const ofTrash = decisionsIn('trash', trash, ['restore', 'delete'])
    // To publish or delete entries takes all services; the tables of a new database have none.
    const isDecided = drafts !== undefined || trash !== undefined
    const starting = isDecided ? startServices(project) : startUnbooted(project)
    return inKernel(starting, async (kernel) => {
      const request = {
        allowDestructive,
        dropDataOf: dropped,
        drafts: ofDrafts,
        trash: ofTrash,
        principal: operator,
        ip: '',
      }
      const { applied, pending } = await kernel.get(schemaSyncService).sync(request)
      const details = { allowDestructive, dropDataOf: dropped, changes: applied.length, by: 'command line' }
      await kernel.get(auditService).record({ action: 'database.sync', principal: null, details })
      const text = [syncText(applied, pending), ...keptHint(kernel, pending)].join('\n')
      return { text, json: { applied, pending } }
    })
  },
})

/** Drafts may be incomplete from the time of `incompleteDrafts`, or be older than what is required. */
async function draftWarnings(kernel: Kernel): Promise<string[]> {
  const { types } = kernel.get(schemasService)
  const strict = [...types.values()].filter(({ options }) => !options.incompleteDrafts)
  const incomplete = await findIncompleteDrafts(
    strict,
    kernel.get(databaseService),
    kernel.get(schemaRecordService),
  )
  return incomplete.map(
    (drafts) => `${drafts.type}: ${incompleteDraftsText(drafts)}; complete them before they are published`,
  )
}

/** @throws CommandError */
function decisionsIn<Decision extends string>(
  option: string,
  text: string | undefined,
  decisions: readonly [Decision, Decision],
): Record<string, Decision> {
  return Object.fromEntries(
    listIn(text).map((pair) => {
      const [type = '', decided] = pair.split('=').map((part) => part.trim())
      const decision = decisions.find((each) => each === decided)
      if (type !== '' && decision !== undefined) return [type, decision]
      const [first, second] = decisions
      throw new CommandError(`--${option} must be like article=${first},page=${second}, not ${pair}`)
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

/** How to drop the data of plugins that are off, which `--allow-destructive` alone keeps. */
function keptHint(kernel: Kernel, pending: readonly SchemaChange[]): string[] {
  const off = new Set(pending.flatMap(({ plugin }) => (plugin === null ? [] : [plugin])))
  for (const { name, active } of kernel.plugins()) if (active) off.delete(name)
  if (off.size === 0) return []
  const named = [...off].sort().join(',')
  return [
    `Data of plugins that are off is kept, unless they are named: --allow-destructive --drop-data-of ${named}`,
  ]
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
