import { type ServiceToken, service } from '../../../../kernel/index.ts'
import { AppError, type ErrorDetail } from '../../http/http.ts'
import type { Driver } from '../driver.ts'
import { announceGivenNames } from '../sync/given-names.ts'
import type { SyncObserver } from '../sync/progress.ts'
import { type AppliedChange, previewSync, type SyncResult, syncOnDemand } from '../sync/synchronize.ts'
import type { DraftEnding, DraftEndingRequest, TrashEnding } from '../tables/draft-ending.ts'
import { shortenNames } from '../tables/identifier.ts'
import type { TableSpec } from '../tables/table-spec.ts'
import type { SchemaChange } from './schema-change.ts'

/** What a sync on demand needs; complete once all plugins are initialised. */
export interface SyncTarget {
  readonly driver: Driver
  readonly declared: () => readonly TableSpec[]
  readonly observer: SyncObserver
  readonly draftEndings: () => readonly DraftEnding[]
  readonly trashEndings: () => readonly TrashEnding[]
  /** Whether a plugin of that name is on. */
  readonly isOn: (plugin: string) => boolean
  /** Called after every sync on demand. */
  readonly onSync: (result: SyncResult) => Promise<void>
}

/** What to do with the drafts of types that no longer have drafts, by type. */
export type DraftDecisions = Readonly<Record<string, 'publish' | 'delete'>>

/** What to do with the deleted entries of types that no longer have a trash, by type. */
export type TrashDecisions = Readonly<Record<string, 'restore' | 'delete'>>

export interface SyncRequest extends Pick<DraftEndingRequest, 'principal' | 'ip'> {
  /** Whether to apply changes that lose data too, after copying it. */
  readonly allowDestructive?: boolean | undefined
  /** Plugins that are off and whose tables and columns are to be dropped too; those of others are kept. */
  readonly dropDataOf?: readonly string[] | undefined
  readonly drafts?: DraftDecisions | undefined
  readonly trash?: TrashDecisions | undefined
}

/** The tables of the service, and how they differ from those that the plugins declare. */
export interface SchemaSync {
  /** @throws DatabaseError of kind `unavailable` */
  status(): Promise<{ readonly dialect: string; readonly tables: number }>
  /**
   * The pending changes, in the order in which they would be applied; changes nothing.
   * @param declared all tables, to preview another declaration than the current one
   */
  preview(declared?: readonly TableSpec[]): Promise<readonly SchemaChange[]>
  /** @throws AppError 400 naming types whose drafts or trash need no decision, and plugins without such data */
  sync(
    request: SyncRequest,
  ): Promise<{ readonly applied: readonly AppliedChange[]; readonly pending: readonly SchemaChange[] }>
}

export const schemaSyncService: ServiceToken<SchemaSync> = service('schema-sync')

export function createSchemaSync(target: SyncTarget): SchemaSync {
  const { driver, declared, observer, onSync } = target
  return {
    async status() {
      await driver.ping()
      return { dialect: driver.dialect.name, tables: await driver.tableCount() }
    },
    preview: (others) => previewSync(driver, others?.map(shortenNames) ?? declared()),
    async sync({ allowDestructive = false, dropDataOf = [], drafts = {}, trash = {}, principal, ip }) {
      await assertDroppable(dropDataOf, allowDestructive, target)
      assertDecidable({ drafts, trash }, target)
      // Restored entries may be drafts, so the trash comes first.
      for (const [type, decision] of Object.entries(trash)) {
        for (const each of target.trashEndings()) await each.end({ type, decision, principal, ip })
      }
      for (const [type, decision] of Object.entries(drafts)) {
        for (const each of target.draftEndings()) await each.end({ type, decision, principal, ip })
      }
      const mayLose = ({ plugin }: SchemaChange) =>
        allowDestructive && (plugin === null || target.isOn(plugin) || dropDataOf.includes(plugin))
      const result = await syncOnDemand(driver, declared(), {
        mayLose,
        observer,
        announce: announceGivenNames,
      })
      await onSync(result)
      return { applied: result.applied, pending: result.blocked }
    },
  }
}

/**
 * Otherwise a misspelt name would be ignored without notice.
 * @throws AppError 400 naming every such plugin
 */
async function assertDroppable(
  named: readonly string[],
  allowDestructive: boolean,
  { driver, declared }: SyncTarget,
): Promise<void> {
  if (named.length === 0) return
  if (!allowDestructive) throw AppError.invalid([dropsOnlyWhenAllowed])
  const owners = (await previewSync(driver, declared())).map(({ plugin }) => plugin)
  const unknown = named.flatMap((plugin, index) => (owners.includes(plugin) ? [] : [nothingToDrop(index)]))
  if (unknown.length > 0) throw AppError.invalid(unknown)
}

const dropsOnlyWhenAllowed: ErrorDetail = {
  path: 'dropDataOf',
  code: 'unsupported',
  message: 'loses data, so allowDestructive must be true too',
}

function nothingToDrop(index: number): ErrorDetail {
  const message = 'names a plugin without tables or columns that wait to be dropped: see /database/preview'
  return { path: `dropDataOf.${index}`, code: 'unsupported', message }
}

/** @throws AppError 400 naming types that have nothing to decide */
function assertDecidable(
  { drafts, trash }: { readonly drafts: DraftDecisions; readonly trash: TrashDecisions },
  { declared }: SyncTarget,
): void {
  const endingDrafts = new Set(declared().flatMap((table) => table.endingDrafts?.type ?? []))
  const endingTrash = new Set(declared().flatMap((table) => table.endingTrash?.type ?? []))
  const undecidable = (key: string, decisions: object, ending: ReadonlySet<string>, what: string) =>
    Object.keys(decisions)
      .filter((type) => !ending.has(type))
      .map((type): ErrorDetail => {
        const message = `has no ${what} that wait for a decision`
        return { path: `${key}.${type}`, code: 'unsupported', message }
      })
  const problems = [
    ...undecidable('drafts', drafts, endingDrafts, 'drafts'),
    ...undecidable('trash', trash, endingTrash, 'deleted entries'),
  ]
  if (problems.length > 0) throw AppError.invalid(problems)
}
