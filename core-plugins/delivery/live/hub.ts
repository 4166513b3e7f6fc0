import { type Awaitable, andThen, createMailbox, type Log } from '../../../kernel/index.ts'
import type { Change, ChangeLog, Following } from '../../entries/changes/changes.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Clients } from './clients.ts'
import type { LiveClient, News, View } from './live-client.ts'
import type { Arrival, Live } from './live-service.ts'
import { maxReplayed, RecentChanges } from './recent-changes.ts'
import { Views } from './views.ts'
import { audienceOf, type VisibilityParts, VisibleChanges } from './visible-changes.ts'

export interface HubParts extends VisibilityParts {
  readonly changes: ChangeLog
  readonly clients: Clients
  readonly log: Log
}

/** The number of clients that are written to before other work gets its turn. */
const portion = 500
/** The number of views that are computed at once. */
const viewsAtOnce = 32

/**
 * Sends changes to clients, each once and in order. A client is either up to date or behind; for clients that are behind only
 * the position is stored, and they are sent all changes since.
 */
export class Hub implements Live {
  readonly #parts: HubParts
  readonly #recent = new RecentChanges()
  readonly #views = new Views()
  readonly #sending = createMailbox()
  #following: Promise<Following> | undefined
  /** The position up to which everything has been sent to all clients that are not behind. */
  #delivered = 0

  constructor(parts: HubParts) {
    this.#parts = parts
  }

  isRestricted(name: string): boolean {
    const type = this.#parts.schemas.types.get(name)
    return type !== undefined && this.#parts.isRestricted(type)
  }

  assertRoom(address: string | undefined): void {
    this.#parts.clients.assertRoom(address)
  }

  async join(client: LiveClient, arrival: Arrival): Promise<void> {
    const { clients, log } = this.#parts
    clients.add(client)
    try {
      await this.#welcome(client, arrival)
    } catch (error) {
      log.warn({ err: error }, 'a live stream could not be opened')
      client.cut()
    }
  }

  drained(client: LiveClient): void {
    client.noteDrained()
    this.#catchUp(client)
  }

  leave(client: LiveClient): void {
    this.#parts.clients.remove(client)
    this.#views.leave(client)
  }

  /** Stops following the log when there are no clients. */
  rest(): void {
    if (this.#parts.clients.size > 0 || this.#following === undefined) return
    this.#following.then((following) => following.stop()).catch(() => undefined)
    this.#following = undefined
  }

  /** Clears cached replays, after permissions may have changed. */
  forgetReplays(): void {
    for (const view of this.#views.all()) view.forgetReplays()
  }

  /** Gives a client the permissions of a principal. */
  turnInto(client: LiveClient, principal: Principal): void {
    const { view } = client
    if (view === undefined || client.principal === principal) return
    this.#enter(client, principal)
    if (client.isBehind || client.view === view) return
    // The new view may have been sent more than the old one.
    client.position = Math.max(client.position, this.#delivered)
    client.isBehind = true
    this.#catchUp(client)
  }

  /** Ends streams of clients that may no longer follow their topic. */
  refuseStrangers(): void {
    for (const view of [...this.#views.all()]) {
      if (view.topic.admits(view.principal)) continue
      for (const client of [...view.clients]) client.refuse()
    }
  }

  #enter(client: LiveClient, principal: Principal): void {
    client.principal = principal
    this.#views.enter(client, audienceOf(principal, client.topic.isPersonal), principal)
  }

  async #welcome(client: LiveClient, { principal, cursor }: Arrival): Promise<void> {
    const from = await this.#placeOf(cursor)
    if (!client.takesMore) return
    this.#enter(client, principal)
    client.position = from ?? this.#recent.position
    client.welcome(client.position, cursor !== undefined && from === undefined)
    this.#catchUp(client)
  }

  /** The position of a cursor if all changes since then are known; otherwise undefined. */
  async #placeOf(cursor: string | undefined): Promise<number | undefined> {
    this.#following ??= this.#follow()
    const following = await this.#following
    const position = cursor === undefined ? undefined : this.#parts.changes.positionIn(cursor)
    if (position === undefined) return undefined
    // The cursor may come from another process that has read more changes.
    if (position > this.#recent.position) await following.catchUp()
    return this.#recent.after(position) === undefined ? undefined : position
  }

  /** Starts to follow the log. Clients wait until the newest changes are known. */
  async #follow(): Promise<Following> {
    let begin = (_: Following) => {}
    const begun = new Promise<Following>((resolve) => {
      begin = resolve
    }).then((following) => this.#begin(following))
    try {
      const following = await this.#parts.changes.follow({
        changed: async (changes, position) => {
          await begun
          await this.#sending.run(() => this.#deliver(changes, position))
        },
        skipped: (position) => void begun.then(() => this.#skip(position)).catch(() => undefined),
      })
      begin(following)
      await begun
      return following
    } catch (error) {
      this.#following = undefined
      throw error
    }
  }

  async #begin(following: Following): Promise<void> {
    const { position } = following
    const from = Math.max(0, position - maxReplayed)
    try {
      const page = await this.#parts.changes.after(from, maxReplayed)
      const known = page?.changes.filter((change) => (change.position ?? 0) <= position)
      this.#recent.begin(known ?? [], known === undefined ? position : from, position)
      this.#delivered = position
    } catch (error) {
      following.stop()
      throw error
    }
  }

  async #deliver(changes: readonly Change[], position: number): Promise<void> {
    const visible = new VisibleChanges(this.#parts, this.#recent.add(changes, position))
    const views = [...(visible.concernAll ? this.#views.all() : this.#views.about(visible.types))]
    let sent = 0
    for (let start = 0; start < views.length; start += viewsAtOnce) {
      const some = views.slice(start, start + viewsAtOnce)
      const events = await Promise.all(some.map((view) => this.#newsFor(view, visible, position)))
      for (const [index, view] of some.entries()) {
        sent = await this.#sendAll(view.clients, events[index], position, sent)
      }
    }
    this.#delivered = position
  }

  /** Sends to clients that are not behind, with limited concurrency. */
  async #sendAll(
    clients: Iterable<LiveClient>,
    news: News,
    position: number,
    sentBefore = 0,
  ): Promise<number> {
    let sent = sentBefore
    if (news === undefined) return sent
    for (const client of clients) {
      if (client.isBehind || client.position >= position) continue
      if (news === 'restart') client.restart(position)
      else client.send(news, position)
      sent += 1
      if (sent % portion === 0) await new Promise(setImmediate)
    }
    return sent
  }

  #newsFor(view: View, visible: VisibleChanges, position: number): Awaitable<News> {
    return andThen(view.topic.tell(visible, view.principal, position), (news) =>
      news.length === 0 ? undefined : news,
    )
  }

  #skip(position: number): void {
    this.#sending
      .run(async () => {
        this.#recent.begin([], position, position)
        await this.#sendAll(this.#parts.clients.all(), 'restart', position)
        this.#delivered = position
      })
      .catch((error) => this.#parts.log.error({ err: error }, 'live streams could not be restarted'))
  }

  #catchUp(client: LiveClient): void {
    if (client.isCatchingUp || client.view === undefined) return
    client.isCatchingUp = true
    this.#tellMissed(client)
      .catch((error) => {
        this.#parts.log.warn({ err: error }, 'what a live stream has missed could not be told')
        client.cut()
      })
      .finally(() => {
        client.isCatchingUp = false
      })
  }

  async #tellMissed(client: LiveClient): Promise<void> {
    while (client.takesMore && client.view !== undefined) {
      const upTo = this.#recent.position
      if (client.position >= upTo) {
        client.isBehind = false
        client.flush()
        return
      }
      const news = await this.#missed(client.view, client.position, upTo)
      if (news === 'restart') client.restart(upTo)
      else client.send(news ?? [], upTo)
      client.flush()
    }
  }

  #missed(view: View, from: number, upTo: number): Awaitable<News> {
    const changes = this.#recent.after(from)
    if (changes === undefined) return 'restart'
    return view.replay(from, upTo, () => this.#newsFor(view, new VisibleChanges(this.#parts, changes), upTo))
  }
}
