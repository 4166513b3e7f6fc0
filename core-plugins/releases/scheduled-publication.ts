import { Type } from 'typebox'
import type { Auth } from '../auth/auth.ts'
import type { Transaction } from '../database/database.ts'
import { AppError, type TokenPrincipal } from '../http/http.ts'
import { defineJob, type JobKind, type Jobs, UnretriableJobError } from '../jobs/jobs.ts'
import type { PublishRelease } from './publish.ts'
import type { ReleaseStore } from './release-store.ts'
import type { Release } from './releases.ts'

/** A release with the time at which it is to be published. */
export interface ScheduledPublication {
  readonly releaseId: number
  readonly scheduledAt: string
}

/** What releases do by themselves. */
export const itself: TokenPrincipal = { kind: 'token', id: 0, name: 'releases', scopes: new Set(['admin:*']) }

/** In the place of somebody who is blocked or gone. */
const nobody: TokenPrincipal = { ...itself, scopes: new Set() }

export interface PublicationJobScope {
  readonly store: ReleaseStore
  readonly publish: PublishRelease
  readonly makers: Auth['makers']
}

/** The job that waits for the time of a release: made with it, so that neither a crash nor a pause loses it. */
export function createPublicationJob({
  store,
  publish,
  makers,
}: PublicationJobScope): JobKind<ScheduledPublication> {
  /** With the rights that whoever set the time has by now. */
  async function publisherFor({ scheduledBy }: Release): Promise<TokenPrincipal> {
    const maker = await makers.find(scheduledBy)
    return maker === undefined ? nobody : { ...itself, maker }
  }

  async function findDue({ releaseId, scheduledAt }: ScheduledPublication): Promise<Release | undefined> {
    try {
      const release = await store.find(releaseId)
      // One that has failed is tried again: an earlier attempt of this job may have, or somebody before its time.
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
      // It was put off, published by hand or deleted since.
      if (release === undefined) return { published: 0 }
      try {
        const claim = `job:${job.id}`
        const { entryCount } = await publish({
          id: payload.releaseId,
          principal: await publisherFor(release),
          ip: undefined,
          claim,
        })
        return { published: entryCount }
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'UNAVAILABLE') throw error
        // The release says why, and a failed job tells the operators.
        throw new UnretriableJobError(error.message, { cause: error })
      }
    },
  })
}

/** Makes the job of a scheduled release; jobs of earlier times find that they are not meant any more. */
export async function schedulePublication(
  tx: Transaction,
  { jobs, kind }: { readonly jobs: Jobs; readonly kind: JobKind<ScheduledPublication> },
  { releaseId, scheduledAt }: ScheduledPublication,
): Promise<void> {
  await jobs.enqueue(tx, kind, { releaseId, scheduledAt }, { runAt: scheduledAt })
}
