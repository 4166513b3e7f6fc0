import type { Auth } from '../auth/auth.ts'
import type { Content } from '../content/content.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError, assertValid, type ErrorDetail, type Principal } from '../http/http.ts'
import type { Schemas } from '../schemas/schemas.ts'
import { assertPublisher } from './publish.ts'
import type { NewItem, ReleaseStore } from './release-store.ts'
import type { Release, ReleaseItem } from './releases.ts'
import { itself, type ScheduledPublication } from './scheduled-publication.ts'

export interface ReleaseInput {
  readonly name: string
  /** Null: it is published manually. */
  readonly scheduledAt: string | null
}

/** Changes to releases by administrators, except publishing them. */
export interface ReleaseChanges {
  /**
   * Problems with the input for a new release, or for a change to the one with the id. @throws AppError 404
   */
  problemsOf(input: Partial<ReleaseInput>, id?: number): Promise<ErrorDetail[]>
  /** @throws AppError 400 for a time in the past */
  create(input: ReleaseInput, principal: Principal): Promise<Release>
  /** @throws AppError 400, 404, 409 if it is published */
  update(id: number, input: Partial<ReleaseInput>, principal: Principal): Promise<Release>
  /** @throws AppError 404, 409 while it is being published */
  remove(id: number): Promise<Release>
  /** @throws AppError 400, 403, 404, 409 */
  addItem(id: number, item: NewItem, principal: Principal): Promise<ReleaseItem>
  /** @throws AppError 404, 409 */
  removeItem(id: number, itemId: number): Promise<void>
}

export interface ChangesDeps {
  readonly store: ReleaseStore
  readonly database: Database
  readonly content: Content
  readonly schemas: Schemas
  readonly auth: Auth
  readonly schedule: (tx: Transaction, publication: ScheduledPublication) => Promise<void>
}

const maxItems = 1_000

export function createReleaseChanges(deps: ChangesDeps): ReleaseChanges {
  const { store, database, content, schemas, auth, schedule } = deps

  async function lockOpen(id: number, tx: Transaction): Promise<Release> {
    const release = await store.lock(id, tx)
    if (release.status !== 'published' && release.status !== 'publishing') return release
    throw new AppError('CONFLICT', `release ${id} is ${release.status} and cannot be changed`)
  }

  const schedulerOf = (scheduledAt: string | null, principal: Principal) =>
    scheduledAt === null ? null : auth.makers.nameOf(principal)

  async function checkItem({ contentType, entryId }: NewItem): Promise<void> {
    const type = schemas.types.get(contentType)
    if (type === undefined) throw refused('contentType', 'unknown', `there is no content type ${contentType}`)
    if (!type.options.draftAndPublish)
      throw refused('contentType', 'unsupported', `${contentType} has no drafts`)
    if ((await content.find(contentType, entryId, 'fields=id', itself)) !== undefined) return
    throw refused('entryId', 'reference', `there is no ${contentType} with id ${entryId}`)
  }

  return {
    async problemsOf({ scheduledAt }, id) {
      const present = id === undefined ? undefined : (await store.find(id)).scheduledAt
      return scheduledAt === undefined || scheduledAt === present ? [] : timeProblems(scheduledAt)
    },
    create: ({ name, scheduledAt }, principal) => {
      assertValid(timeProblems(scheduledAt))
      return database.transaction(async (tx) => {
        const status = statusFor(scheduledAt)
        const scheduledBy = schedulerOf(scheduledAt, principal)
        const releaseId = await store.insert({ name, status, scheduledAt, scheduledBy }, tx)
        if (scheduledAt !== null) await schedule(tx, { releaseId, scheduledAt })
        return store.find(releaseId, tx)
      })
    },
    update: (id, input, principal) =>
      database.transaction(async (tx) => {
        const release = await lockOpen(id, tx)
        const { name = release.name, scheduledAt = release.scheduledAt } = input
        if (scheduledAt === release.scheduledAt) {
          await store.update(id, { ...release, name }, tx)
        } else {
          assertValid(timeProblems(scheduledAt))
          const scheduledBy = schedulerOf(scheduledAt, principal)
          const status = statusFor(scheduledAt)
          await store.update(id, { name, scheduledAt, scheduledBy, status, error: null }, tx)
          if (scheduledAt !== null) await schedule(tx, { releaseId: id, scheduledAt })
        }
        return store.find(id, tx)
      }),
    remove: (id) =>
      database.transaction(async (tx) => {
        const release = await store.lock(id, tx)
        if (release.status === 'publishing')
          throw new AppError('CONFLICT', `release ${id} is being published`)
        await store.remove(id, tx)
        return release
      }),
    async addItem(id, item, principal) {
      await store.find(id)
      assertPublisher(auth, principal, item.contentType)
      await checkItem(item)
      return database.transaction(async (tx) => {
        const { entryCount } = await lockOpen(id, tx)
        if (entryCount >= maxItems)
          throw new AppError('CONFLICT', `a release takes at most ${maxItems} entries`)
        const added = await store.insertItem(id, item, tx)
        if (added !== undefined) return added
        throw new AppError('CONFLICT', `${item.contentType} ${item.entryId} is already in the release`)
      })
    },
    removeItem: (id, itemId) =>
      database.transaction(async (tx) => {
        await lockOpen(id, tx)
        await store.removeItem(id, itemId, tx)
      }),
  }
}

function statusFor(scheduledAt: string | null): 'draft' | 'scheduled' {
  return scheduledAt === null ? 'draft' : 'scheduled'
}

function timeProblems(scheduledAt: string | null): ErrorDetail[] {
  if (scheduledAt === null || Date.parse(scheduledAt) > Date.now()) return []
  const message = 'must be in the future; omit it to publish manually'
  return [{ path: 'scheduledAt', code: 'past', message }]
}

function refused(path: string, code: string, message: string): AppError {
  return AppError.invalid([{ path, code, message }])
}
