import type { Content, Entry, EntryWriteRequest } from '../content/content.ts'
import { AppError, type ErrorDetail } from '../http/http.ts'
import type { ContentType } from '../schemas/schemas.ts'
import { leaveOut, leaveOutAttributes } from './leave-out.ts'
import type { Revision } from './revisions.ts'

export interface Restored {
  readonly entry: Entry
  /** What of the revision the entry does not take any more, and why. */
  readonly leftOut: readonly ErrorDetail[]
}

export interface Restorer {
  /**
   * Writes the data of a revision to its entry, as an update. Neither the publication nor the workflow changes.
   * @throws AppError 404, 409, 412; 400 where the entry cannot be as the revision has it, whatever is left out
   */
  restore(request: EntryWriteRequest, type: ContentType, revision: Revision): Promise<Restored>
  /** Whether a payload comes from here. */
  isRestored(payload: object): boolean
}

/** Problems can hide others: a component that is taken out, those within it. */
const rounds = 5

export function createRestorer(content: Content): Restorer {
  const payloads = new WeakSet<object>()

  async function attempt(request: EntryWriteRequest, payload: Record<string, unknown>) {
    payloads.add(payload)
    try {
      return { entry: await content.update(request, payload) }
    } catch (error) {
      const details =
        error instanceof AppError && error.code === 'VALIDATION_ERROR' ? error.details : undefined
      if (details === undefined || details.length === 0) throw error
      return { error, details }
    }
  }

  return {
    isRestored: (payload) => payloads.has(payload),
    async restore(request, type, revision) {
      let leftOut: readonly ErrorDetail[] = []
      let payload = payloadOf(type, revision)
      for (let round = 1; ; round += 1) {
        const { entry, error, details } = await attempt(request, payload)
        if (entry !== undefined) return { entry, leftOut }
        if (round === rounds) throw error
        leftOut = [...leftOut, ...details]
        payload = (round < rounds - 1 ? leaveOut : leaveOutAttributes)(payload, details)
      }
    },
  }
}

const notPayload = ['published_at', 'deleted_at', 'locale']

/** Under the present names of the attributes. */
function payloadOf({ attributes }: ContentType, { data }: Revision): Record<string, unknown> {
  const entries = Object.entries(data).filter(([name]) => attributes.has(name) || !notPayload.includes(name))
  const renamed = new Map(
    [...attributes.values()].flatMap(({ name, renamedFrom }) =>
      renamedFrom === undefined || attributes.has(renamedFrom) || Object.hasOwn(data, name)
        ? []
        : [[renamedFrom, name]],
    ),
  )
  return Object.fromEntries(entries.map(([name, value]) => [renamed.get(name) ?? name, value]))
}
