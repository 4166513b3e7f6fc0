import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import { defineJob, type JobKind, type Jobs, UnretriableJobError } from '../../background/jobs/jobs.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import { AppError, type TokenPrincipal } from '../../foundation/http/http.ts'
import type { PublishRelease } from './publish.ts'
import type { ReleaseStore } from './release-store.ts'
import type { Release } from './releases.ts'

/** A release with the time at which it is to be published. */
export interface ScheduledPublication {
  readonly releaseId: number
  readonly scheduledAt: string
}

/** The principal for writes that releases make on their own. */
export const itself: TokenPrincipal = { kind: 'token', id: 0, name: 'releases', scopes: new Set(['admin:*']) }

/** A principal without rights, used in place of a user or token that is blocked or deleted. */
const nobody: TokenPrincipal = { ...itself, scopes: new Set() }

export interface PublicationJobDeps {
  readonly store: ReleaseStore
  readonly publish: PublishRelease
  readonly makers: Auth['makers']
}

/** The principal for a scheduled publication: the current rights of the user or token that set the time. */
export async function publisherOf({ scheduledBy }: Release, makers: Auth['makers']): Promise<TokenPrincipal> {
  const maker = await makers.find(scheduledBy)
  return maker === undefined ? nobody : { ...itself, maker }
}

/**
 * The job that publishes a release at its scheduled time: created with the schedule, so that it survives
 * crashes and restarts.
 */
export function createPublicationJob({
  store,
  publish,
  makers,
}: PublicationJobDeps): JobKind<ScheduledPublication> {
  async function findDue({ releaseId, scheduledAt }: ScheduledPublication): Promise<Release | undefined> {
    try {
      const release = await store.find(releaseId)
      // Retries a failed release: it may have failed in an earlier attempt of this job, or before its time.
      return release.status !== 'published' && release.scheduledAt === scheduledAt ? release : undefined
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
      throw error
    }
  }

  return defineJob({
    name: 'releases.publish',
    payload: Type.Object({ releaseId: Type.Integer(), scheduledAt: Type.String() }),
    async run(payload, { job }) {
      const release = await findDue(payload)
      // It was rescheduled, published manually or deleted in the meantime, so the job does nothing.
      if (release === undefined) return { published: 0 }
      try {
        const claim = `job:${job.id}`
        const { entryCount } = await publish({
          id: payload.releaseId,
          principal: await publisherOf(release, makers),
          ip: undefined,
          claim,
        })
        return { published: entryCount }
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'UNAVAILABLE') throw error
        // The release records the reason, and a failed job alerts the operators.
        throw new UnretriableJobError(error.message, { cause: error })
      }
    },
  })
}

/** Enqueues the job of a scheduled release; jobs for earlier times find that they no longer apply. */
export async function schedulePublication(
  tx: Transaction,
  { jobs, kind }: { readonly jobs: Jobs; readonly kind: JobKind<ScheduledPublication> },
  { releaseId, scheduledAt }: ScheduledPublication,
): Promise<void> {
  await jobs.enqueue(tx, kind, { releaseId, scheduledAt }, { runAt: scheduledAt })
}
