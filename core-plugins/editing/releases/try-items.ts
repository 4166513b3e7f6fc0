import type { BulkWrites } from '../../entries/content/content.ts'
import type { Database } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { ReleaseItem } from './releases.ts'
import { itself } from './scheduled-publication.ts'

/** Why an entry cannot be published or unpublished. */
export interface Refusal {
  readonly item: ReleaseItem
  readonly code: string
  readonly message: string
}

export interface TryDeps {
  readonly database: Database
  readonly bulkWrites: BulkWrites
}

/** How many entries are tried in one transaction, so that locks are held only briefly. */
const atOnce = 50

/** Rolls back a transaction in which nothing was refused. */
class Acceptable extends Error {}

/** Publishes or unpublishes entries of one type, rolls that back, and returns the refused entries. */
export async function tryItems(deps: TryDeps, items: readonly ReleaseItem[]): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = []
  for (const action of ['publish', 'unpublish'] as const) {
    const some = items.filter((item) => item.action === action)
    for (let from = 0; from < some.length; from += atOnce) {
      refusals.push(...(await tryPortion(deps, some.slice(from, from + atOnce))))
    }
  }
  return refusals
}

/** Refusals may hide those of other entries, so the other entries are tried again. */
async function tryPortion(deps: TryDeps, items: readonly ReleaseItem[]): Promise<readonly Refusal[]> {
  if (items.length === 0) return []
  const error = await tryTogether(deps, items)
  if (error === undefined) return []
  const refusals = refusalsIn(error, items)
  const refused = new Set(refusals.map(({ item }) => item))
  const rest = items.filter((item) => !refused.has(item))
  return [...refusals, ...(await tryPortion(deps, rest))]
}

async function tryTogether({ database, bulkWrites }: TryDeps, items: readonly ReleaseItem[]) {
  const [{ contentType: type, action }] = items as [ReleaseItem]
  const ids = items.map(({ entryId }) => entryId)
  try {
    await database.transaction(
      async (tx) => {
        const request = { type, principal: itself, tx }
        await (action === 'publish'
          ? bulkWrites.publishMany(request, ids)
          : bulkWrites.unpublishMany(request, ids))
        // Runs after the checks that plugins make at the commit, such as the workflow's.
        tx.withCommit(() => {
          tx.beforeCommit(() => {
            throw new Acceptable()
          })
        })
      },
      { isBrief: false },
    )
  } catch (error) {
    if (error instanceof Acceptable) return undefined
    if (error instanceof AppError && error.code !== 'UNAVAILABLE') return error
    throw error
  }
  throw new Error(`trying to ${action} ${type} was not undone`)
}

/** An error that names none of the entries counts for all of them. */
function refusalsIn({ code, message, details = [] }: AppError, items: readonly ReleaseItem[]): Refusal[] {
  const named = items.flatMap((item) => {
    const detail = details.find(({ path }) => path === `${item.contentType}:${item.entryId}`)
    return detail === undefined ? [] : [{ item, code: detail.code, message: detail.message }]
  })
  return named.length > 0 ? named : items.map((item) => ({ item, code, message }))
}
