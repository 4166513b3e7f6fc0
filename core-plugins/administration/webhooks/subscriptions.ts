import { createMailbox } from '../../../kernel/index.ts'
import { administratorsOnly } from './receiving-rights.ts'
import type { Subscription } from './webhook-store.ts'

/** A webhook that receives an event. */
export interface Subscriber {
  readonly webhookId: number
  readonly event: string
  /** The receiver's host; deliveries to one host share a lane. */
  readonly host: string
  readonly madeBy: string | null
}

/** Whether the maker of a webhook may receive events of a type at present. */
export type MakerMayReceive = (madeBy: string | null, contentType: string) => Promise<boolean>

/** The enabled webhooks, held in memory so that a change of content needs no query. */
export interface Subscriptions {
  /** Whether any webhook subscribes to any of the events of a type; a cheap check to avoid further work. */
  areAny(events: readonly string[], contentType: string): boolean
  /** The webhooks that receive any of the events of a type, in the order of the events. */
  subscribersOf(events: readonly string[], contentType: string): Promise<readonly Subscriber[]>
  /** Reloads the webhooks; includes everything that was committed before the call. */
  reload(): Promise<void>
}

const none: readonly Subscriber[] = []

/** Holds no webhooks before the first `reload`. */
export function createSubscriptions(
  load: () => Promise<readonly Subscription[]>,
  makerMayReceive: MakerMayReceive,
): Subscriptions {
  // One reload after the other, so that an older result never replaces a newer one.
  const reading = createMailbox()
  let present: readonly Subscription[] = []
  let bySource = new Map<string, readonly Subscriber[]>()

  function find(events: readonly string[], contentType: string): readonly Subscriber[] {
    return events.flatMap((event) =>
      present
        .filter((subscription) => isFor(subscription, event, contentType))
        .map(({ id, url, madeBy }) => ({ webhookId: id, event, host: new URL(url).host, madeBy })),
    )
  }

  function askersOf(events: readonly string[], contentType: string): readonly Subscriber[] {
    if (present.length === 0) return none
    const key = `${contentType} ${events.join()}`
    const known = bySource.get(key)
    if (known !== undefined) return known
    const found = find(events, contentType)
    bySource.set(key, found)
    return found
  }

  return {
    areAny: (events, contentType) => askersOf(events, contentType).length > 0,
    async subscribersOf(events, contentType) {
      const askers = askersOf(events, contentType)
      const verdicts = await Promise.all(askers.map(({ madeBy }) => makerMayReceive(madeBy, contentType)))
      return askers.filter((_, index) => verdicts[index])
    },
    reload: () =>
      reading.run(async () => {
        present = await load()
        bySource = new Map()
      }),
  }
}

function isFor({ events, contentTypes }: Subscription, event: string, contentType: string): boolean {
  if (!events.includes(event)) return false
  return contentType === administratorsOnly || contentTypes.length === 0 || contentTypes.includes(contentType)
}
