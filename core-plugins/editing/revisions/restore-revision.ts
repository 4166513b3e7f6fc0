import {
  annotate,
  type Content,
  type Entry,
  type EntryWriteRequest,
  formerValues,
  hiddenProblems,
  type WriteAnnotation,
  writeAnnotation,
} from '../../entries/content/content.ts'
import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { leaveOut, leaveOutAttributes } from './leave-out.ts'
import type { Revision } from './revisions.ts'

export interface Restored {
  readonly entry: Entry
  /** The parts of the revision that the entry no longer accepts, with the reasons. */
  readonly leftOut: readonly ErrorDetail[]
}

export interface Restorer {
  /**
   * Writes the data of a revision to its entry, as an update. Publication and workflow state do not change.
   * @throws AppError 404, 409, 412; 400 if the entry cannot take the revision's data even with parts left out
   */
  restore(request: EntryWriteRequest, type: ContentType, revision: Revision): Promise<Restored>
}

/** Set on an update that restores a revision. */
export const restoredRevision: WriteAnnotation<true> = writeAnnotation('revisions.restored')

const annotations = annotate(restoredRevision, true).with(formerValues, true)

/** Problems can hide others: those inside a component appear once the component itself is accepted. */
const maxAttempts = 5

export function createRestorer(content: Content): Restorer {
  async function attempt(request: EntryWriteRequest, payload: Record<string, unknown>) {
    try {
      return {
        entry: await content.update({ ...request, annotations }, payload),
      }
    } catch (error) {
      const details =
        error instanceof AppError && error.code === 'VALIDATION_ERROR' ? error.details : undefined
      if (details === undefined || details.length === 0) throw error
      return { error, details }
    }
  }

  return {
    async restore(request, type, revision) {
      let payload = payloadOf(type, revision)
      let leftOut: readonly ErrorDetail[] = Object.entries(payload).flatMap(([name, value]) =>
        hiddenProblems(value, name),
      )
      for (let tries = 1; ; tries += 1) {
        const { entry, error, details } = await attempt(request, payload)
        if (entry !== undefined) return { entry, leftOut }
        if (tries === maxAttempts) throw error
        leftOut = [...leftOut, ...details]
        payload = (tries < maxAttempts - 1 ? leaveOut : leaveOutAttributes)(payload, details)
      }
    },
  }
}

const notPayload = ['published_at', 'deleted_at', 'locale']

/** The data without fields that are not attributes and that payloads cannot contain. */
function payloadOf({ attributes }: ContentType, { data }: Revision): Record<string, unknown> {
  const isPayload = (name: string) => attributes.has(name) || !notPayload.includes(name)
  return Object.fromEntries(Object.entries(data).filter(([name]) => isPayload(name)))
}
