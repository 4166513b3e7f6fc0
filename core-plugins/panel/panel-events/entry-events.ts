import type { Change, ChangeLog, Following } from '../../entries/changes/changes.ts'
import { condensed } from './condensed.ts'
import type { LiveEvent } from './panel-events.ts'

/** Publishes writes to entries by all processes, as recorded in the change log. */
export interface EntryEvents {
  /** Resolves once all later writes will be delivered. */
  subscribe(): Promise<void>
  /** Stops reading the log until the next subscription. */
  rest(): void
  /** The events of the last seconds, oldest first. */
  recent(): readonly LiveEvent[]
}

export interface EntryEventsParts {
  readonly changes: ChangeLog
  readonly deliver: (events: readonly LiveEvent[]) => Promise<void>
  /** Called when too many events have occurred to deliver one by one. */
  readonly onGap: () => void
}

/** Longer than the time between a panel's reads and the opening of its stream. */
const recentMs = 15_000
const maxRecent = 500

export function createEntryEvents({ changes, deliver, onGap }: EntryEventsParts): EntryEvents {
  let following: Promise<Following> | undefined
  let recent: readonly Change[] = []

  async function begin(): Promise<Following> {
    const begun = await changes.follow({
      async changed(page) {
        recent = latestOf([...recent, ...page])
        const events = eventsOf(page)
        if (events.length > 0) await deliver(events)
      },
      skipped() {
        recent = []
        onGap()
      },
    })
    try {
      const page = await changes.after(Math.max(0, begun.position - maxRecent), maxRecent)
      const earlier = page?.changes.filter(({ position = 0 }) => position <= begun.position) ?? []
      recent = latestOf([...earlier, ...recent])
      return begun
    } catch (error) {
      begun.stop()
      throw error
    }
  }

  return {
    async subscribe() {
      following ??= begin()
      try {
        await following
      } catch (error) {
        following = undefined
        throw error
      }
    },
    rest() {
      following?.then(({ stop }) => stop()).catch(() => undefined)
      following = undefined
      recent = []
    },
    recent: () => eventsOf(latestOf(recent)),
  }
}

function latestOf(changes: readonly Change[]): readonly Change[] {
  const from = new Date(Date.now() - recentMs).toISOString()
  return changes.filter(({ at }) => at > from).slice(-maxRecent)
}

const eventsOf = (changes: readonly Change[]) => condensed(changes.flatMap(toEvent))

/** Only content writes become events. Permanent deletion from the trash was already reported as a deletion. */
function toEvent({ type, entryId, locale, origin }: Change): readonly LiveEvent[] {
  if (type === undefined || entryId === undefined || origin === undefined || origin.operation === 'purge')
    return []
  return [{ kind: 'entry', type, entryId, ...origin, ...(locale !== undefined && { locale }) }]
}
