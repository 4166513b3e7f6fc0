import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import { defineJob, type JobKind, type Jobs, UnretriableJobError } from '../../background/jobs/jobs.ts'
import { annotate, type Content } from '../../entries/content/content.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import { AppError, type TokenPrincipal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { DueTime } from './time-changes.ts'
import type { TimeStore } from './time-store.ts'
import { dueTime, Overtaken } from './write-stages.ts'

const itself: TokenPrincipal = { kind: 'token', id: 0, name: 'unpublish-times', scopes: new Set(['admin:*']) }

/** A principal without rights, used in place of a user or token that is blocked or deleted. */
const nobody: TokenPrincipal = { ...itself, scopes: new Set() }

export interface DueUnpublishDeps {
  readonly store: TimeStore
  readonly content: Content
  readonly schemas: Schemas
  readonly makers: Auth['makers']
}

/**
 * The job that unpublishes an entry when its time comes: created together with the time, so that neither a crash nor a pause
 * loses it.
 */
export function createDueUnpublish({ store, content, schemas, makers }: DueUnpublishDeps): JobKind<DueTime> {
  /** Uses the current rights of the user or token that set the time. */
  async function unpublish({ contentType: type, entryId: id, unpublishAt }: DueTime, setBy: string | null) {
    const maker = await makers.find(setBy)
    const principal = maker === undefined ? nobody : { ...itself, maker }
    await content.unpublish({ type, id, principal, annotations: annotate(dueTime, unpublishAt) })
  }

  return defineJob({
    name: 'content.unpublish',
    payload: Type.Object({
      contentType: Type.String(),
      entryId: Type.Integer(),
      unpublishAt: Type.String(),
    }),
    async run(due) {
      if (schemas.types.get(due.contentType)?.options.draftAndPublish !== true) return { unpublished: 0 }
      const time = (await store.find(due.contentType, [due.entryId])).get(due.entryId)
      if (time?.unpublishAt !== due.unpublishAt) return { unpublished: 0 }
      try {
        await unpublish(due, time.setBy)
        return { unpublished: 1 }
      } catch (error) {
        // Changed in the meantime, or in the trash, from which it will return as a draft.
        if (error instanceof Overtaken || isMissing(error)) return { unpublished: 0 }
        if (!(error instanceof AppError) || error.code === 'UNAVAILABLE') throw error
        // A failed job alerts the operators: the entry is still public.
        throw new UnretriableJobError(error.message, { cause: error })
      }
    },
  })
}

const isMissing = (error: unknown) => error instanceof AppError && error.code === 'NOT_FOUND'

/**
 * Creates the jobs of restored times. Accounts are not part of backups, and an account id may belong to another account here, so
 * the service itself becomes their setter.
 */
export async function scheduleRestored(
  tx: Transaction,
  { store, jobs, kind }: { readonly store: TimeStore; readonly jobs: Jobs; readonly kind: JobKind<DueTime> },
): Promise<void> {
  for await (const rows of store.adopt(tx)) {
    const due = rows.map(({ type: contentType, entryId, unpublishAt }) => ({
      payload: { contentType, entryId, unpublishAt },
      runAt: unpublishAt,
    }))
    await jobs.enqueueMany(tx, kind, due)
  }
}

/** Enqueues the job of a time; jobs for earlier times find that they no longer apply. */
export async function scheduleUnpublish(
  tx: Transaction,
  { jobs, kind }: { readonly jobs: Jobs; readonly kind: JobKind<DueTime> },
  due: DueTime,
): Promise<void> {
  await jobs.enqueue(tx, kind, due, { runAt: due.unpublishAt })
}
