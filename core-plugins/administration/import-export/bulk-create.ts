import type { BulkWrites, SavedEntry, WriteRequest } from '../../entries/content/content.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import { saysPendingDraft } from './imports/read-record.ts'
import type { RowLocales } from './row-locales.ts'

export interface BulkCreateDeps {
  /** Checks all permissions itself, since updating and publishing depend on the options. */
  readonly bulkWrites: BulkWrites
  readonly locales: RowLocales
  readonly schemas: Schemas
}

export interface BulkCreateOptions {
  /** A unique attribute, or `uuid`: an existing entry with the same value is updated instead of creating a new one. */
  readonly match?: string | undefined
  /** True publishes all of the entries. */
  readonly publish?: boolean | undefined
}

export interface BulkCreated {
  readonly count: number
  readonly ids: readonly number[]
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

/** Creates many entries, or updates existing ones, all or none. Every API uses it. @throws AppError */
export type BulkCreate = (
  request: WriteRequest,
  payloads: readonly unknown[],
  options: BulkCreateOptions,
) => Promise<BulkCreated>

/** The limit of the other bulk writes. */
export const maxEntries = 1_000

export const bulkCreateAccess = {
  access: 'permission',
  scope: 'content:write',
  policies: ['content.create'],
} as const

export function createBulkCreate({ bulkWrites, locales, schemas }: BulkCreateDeps): BulkCreate {
  const isPendingDraft = (name: string, data: unknown) => {
    const type = schemas.types.get(name)
    return type !== undefined && saysPendingDraft(type, data)
  }
  return async (request, payloads, { match, publish }) => {
    const published = publish === true ? (true as const) : undefined
    const entries = payloads.map((data) => ({
      data: locales.complete(request.type, data),
      comparedWith: isPendingDraft(request.type, data) ? ('latest' as const) : undefined,
      ...{ published, uuid: match === 'uuid' ? uuidIn(data) : undefined },
    }))
    return answerOf(await bulkWrites.saveMany(request, entries, { match }))
  }
}

/** The UUID of a new entry, which only requests that match by UUID may choose. Others may contain the UUID of the entry
 * that was read, and must create a new one. */
function uuidIn(data: unknown): string | undefined {
  const { uuid } = (data ?? {}) as { readonly uuid?: unknown }
  return uuid === undefined ? undefined : String(uuid)
}

function answerOf(saved: readonly SavedEntry[]): BulkCreated {
  const count = (outcome: SavedEntry['outcome']) => saved.filter((entry) => entry.outcome === outcome).length
  return {
    count: saved.length,
    ids: saved.map(({ id }) => id),
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
  }
}
