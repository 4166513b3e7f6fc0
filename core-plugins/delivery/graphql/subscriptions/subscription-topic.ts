import type { Auth } from '../../../accounts/auth/auth.ts'
import { AnswerTooLarge, type Entry } from '../../../entries/content/content.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { Live, Message, Topic, VisibleChanges } from '../../live/live.ts'
import type { PreparedSubscription } from '../execution/prepare-subscription.ts'
import type { EntryEvent } from '../plan/entry-event.ts'
import { type Candidate, candidatesIn, changeOf, type Subscriber } from './candidates.ts'

export interface TopicParts {
  readonly auth: Auth
  readonly live: Pick<Live, 'isRestricted'>
  /** Encodes a position as a cursor for clients. */
  readonly cursorOf: (position: number) => string
  /** The names of all content types. */
  readonly typeNames: readonly string[]
  readonly logFailure: (error: unknown) => void
}

/** The number of entries per statement. */
const readAtOnce = 50
/** The number of events after which other work gets its turn. */
const portion = 100

/**
 * The events of a subscription, created once for all subscribers with the same permissions. A message is the body of a
 * response.
 */
export class SubscriptionTopic implements Topic {
  readonly key: string
  readonly types: ReadonlySet<string>
  readonly isPersonal: boolean
  readonly #prepared: PreparedSubscription
  readonly #parts: TopicParts
  readonly #isRestricted: boolean

  constructor(prepared: PreparedSubscription, parts: TopicParts) {
    const { followed, hasPluginFields, showsOthers } = prepared
    const { live, typeNames } = parts
    this.key = `graphql ${prepared.key}`
    this.types = new Set([followed.type])
    this.#isRestricted = live.isRestricted(followed.type)
    this.isPersonal =
      this.#isRestricted ||
      hasPluginFields ||
      (showsOthers && typeNames.some((name) => live.isRestricted(name)))
    this.#prepared = prepared
    this.#parts = parts
  }

  admits(principal: Principal): boolean {
    return this.#parts.auth.mayContent(principal, this.#prepared.followed.type, 'read')
  }

  async tell(
    changes: VisibleChanges,
    principal: Principal,
    position: number,
  ): Promise<readonly Message[] | 'restart'> {
    const { followed } = this.#prepared
    if (!this.admits(principal)) return []
    const all = changes.of(followed.type)
    if (changes.concernAll || all.some(({ entryId }) => entryId === undefined)) return 'restart'
    const subscriber = {
      seesDrafts: this.#parts.auth.seesDrafts(principal, followed.type),
      isRestricted: this.#isRestricted,
    }
    const candidates = candidatesIn(all, followed, subscriber)
    try {
      const messages: Message[] = []
      for (let start = 0; start < candidates.length; start += readAtOnce) {
        const some = candidates.slice(start, start + readAtOnce)
        messages.push(...(await this.#messagesAbout(some, subscriber, principal)))
        if ((start + readAtOnce) % portion === 0) await new Promise(setImmediate)
      }
      return messages
    } catch (error) {
      if (!(error instanceof AppError)) this.#parts.logFailure(error)
      return [await this.#message(asError(error), principal, position)]
    }
  }

  async #messagesAbout(
    candidates: readonly Candidate[],
    subscriber: Subscriber,
    principal: Principal,
  ): Promise<Message[]> {
    const ids = candidates.map(({ id }) => id)
    const found = new Map(await this.#read(ids, principal))
    const messages: Message[] = []
    for (const candidate of candidates) {
      const { id, last } = candidate
      const entry = found.get(id)
      const change = changeOf(candidate, entry !== undefined, this.#prepared.followed, subscriber)
      if (change === undefined) continue
      const cursor = this.#parts.cursorOf(last.position)
      const event: EntryEvent | Error =
        entry instanceof Error ? entry : { cursor, change, id, entry: entry ?? null }
      messages.push(await this.#message(event, principal, last.position))
    }
    return messages
  }

  /**
   * Reads in parts that fit into a response. An entry that is too large by itself becomes an error, sent only to subscribers
   * who may see it.
   */
  async #read(
    ids: readonly number[],
    principal: Principal,
  ): Promise<readonly (readonly [number, Entry | AnswerTooLarge])[]> {
    try {
      const entries = await this.#prepared.read(ids, principal)
      return entries.map((entry) => [entry.id, entry])
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error
      if (ids.length === 1) {
        const seen = await this.#prepared.readIds(ids, principal)
        return seen.map((id) => [id, error])
      }
      const middle = Math.ceil(ids.length / 2)
      const first = await this.#read(ids.slice(0, middle), principal)
      return [...first, ...(await this.#read(ids.slice(middle), principal))]
    }
  }

  async #message(event: EntryEvent | Error, principal: Principal, position: number): Promise<Message> {
    const { body } = await this.#prepared.answer(event, principal)
    return { position, bytes: Buffer.from(JSON.stringify(body)) }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
