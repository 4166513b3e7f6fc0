import type { Auth } from '../../accounts/auth/auth.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { AppError, assertValid, type ErrorDetail, type Principal } from '../../foundation/http/http.ts'
import type { ItemStore } from './item-store.ts'
import type { ReleaseRights } from './release-rights.ts'
import type { ReleaseStore } from './release-store.ts'
import type { Release } from './releases.ts'
import type { ScheduledPublication } from './scheduled-publication.ts'

export interface ReleaseInput {
  readonly name: string
  /** Null: it is published manually. */
  readonly scheduledAt: string | null
}

/** Changes to releases, except to their entries and publishing them. */
export interface ReleaseChanges {
  /**
   * Problems with the input for a new release, or for a change to the one with the id. @throws AppError 404
   */
  problemsOf(input: Partial<ReleaseInput>, id?: number): Promise<ErrorDetail[]>
  /** @throws AppError 400 for a time in the past */
  create(input: ReleaseInput, principal: Principal): Promise<Release>
  /**
   * Only callers who may publish all entries of the release may set a time; administrators may also remove it.
   * @throws AppError 400, 403, 404; 409 if the release is published
   */
  update(id: number, input: Partial<ReleaseInput>, principal: Principal): Promise<Release>
  /**
   * For administrators, and callers who may publish all entries of the release. @throws AppError 403, 404; 409 while it is being
   * published
   */
  remove(id: number, principal: Principal): Promise<Release>
}

export interface ChangesDeps {
  readonly store: ReleaseStore
  readonly items: ItemStore
  readonly rights: ReleaseRights
  readonly database: Database
  readonly makers: Auth['makers']
  readonly schedule: (tx: Transaction, publication: ScheduledPublication) => Promise<void>
}

export function createReleaseChanges(deps: ChangesDeps): ReleaseChanges {
  const { store, items, rights, database, makers, schedule } = deps

  const schedulerOf = (scheduledAt: string | null, principal: Principal) =>
    scheduledAt === null ? null : makers.nameOf(principal)

  async function assertPublisher(id: number, principal: Principal, tx: Transaction): Promise<void> {
    rights.assertPublisher(principal, await items.types(id, tx))
  }

  async function assertMayTakeBack(id: number, principal: Principal, tx: Transaction): Promise<void> {
    if (!rights.mayManage(principal)) await assertPublisher(id, principal, tx)
  }

  async function setTime(
    release: Release,
    { name, scheduledAt }: ReleaseInput,
    principal: Principal,
    tx: Transaction,
  ): Promise<void> {
    const { id } = release
    assertValid(timeProblems(scheduledAt))
    if (scheduledAt === null) await assertMayTakeBack(id, principal, tx)
    else await assertPublisher(id, principal, tx)
    const scheduledBy = schedulerOf(scheduledAt, principal)
    await store.update(
      id,
      { name, scheduledAt, scheduledBy, status: statusFor(scheduledAt), error: null },
      tx,
    )
    if (scheduledAt !== null) await schedule(tx, { releaseId: id, scheduledAt })
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
        const release = await lockOpen(store, id, tx)
        const { name = release.name, scheduledAt = release.scheduledAt } = input
        if (scheduledAt === release.scheduledAt) await store.update(id, { ...release, name }, tx)
        else await setTime(release, { name, scheduledAt }, principal, tx)
        return store.find(id, tx)
      }),
    remove: (id, principal) =>
      database.transaction(async (tx) => {
        const release = await store.lock(id, tx)
        if (release.status === 'publishing')
          throw new AppError('CONFLICT', `release ${id} is being published`)
        await assertMayTakeBack(id, principal, tx)
        await store.remove(id, tx)
        return release
      }),
  }
}

/** Locks a release that can still be changed. @throws AppError 404, 409 */
export async function lockOpen(store: ReleaseStore, id: number, tx: Transaction): Promise<Release> {
  const release = await store.lock(id, tx)
  if (release.status !== 'published' && release.status !== 'publishing') return release
  throw new AppError('CONFLICT', `release ${id} is ${release.status} and cannot be changed`)
}

function statusFor(scheduledAt: string | null): 'draft' | 'scheduled' {
  return scheduledAt === null ? 'draft' : 'scheduled'
}

function timeProblems(scheduledAt: string | null): ErrorDetail[] {
  if (scheduledAt === null || Date.parse(scheduledAt) > Date.now()) return []
  const message = 'must be in the future; omit it to publish manually'
  return [{ path: 'scheduledAt', code: 'past', message }]
}
