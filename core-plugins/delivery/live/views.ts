import type { Principal } from '../../foundation/http/http.ts'
import { type LiveClient, View } from './live-client.ts'

/** The views with clients, by the types that they cover. */
export class Views {
  readonly #byKey = new Map<string, View>()
  readonly #byType = new Map<string, Set<View>>()

  all(): Iterable<View> {
    return this.#byKey.values()
  }

  /** Adds a client to the view of those with the same topic and permissions. */
  enter(client: LiveClient, audience: string, principal: Principal): void {
    const key = `${audience} ${client.topic.key}`
    if (client.view?.key !== key) this.leave(client)
    const view = this.#byKey.get(key) ?? this.#add(new View(key, client.topic, principal))
    view.principal = principal
    view.clients.add(client)
    client.view = view
    // Shared, so that thousands of clients do not keep copies.
    client.topic = view.topic
  }

  leave(client: LiveClient): void {
    const { view } = client
    if (view === undefined) return
    client.view = undefined
    view.clients.delete(client)
    if (view.clients.size > 0) return
    this.#byKey.delete(view.key)
    for (const type of view.topic.types) {
      const views = this.#byType.get(type)
      views?.delete(view)
      if (views?.size === 0) this.#byType.delete(type)
    }
  }

  /** The views that cover at least one of the types. */
  about(types: Iterable<string>): ReadonlySet<View> {
    const found = new Set<View>()
    for (const type of types) for (const view of this.#byType.get(type) ?? []) found.add(view)
    return found
  }

  #add(view: View): View {
    this.#byKey.set(view.key, view)
    for (const type of view.topic.types) {
      const views = this.#byType.get(type) ?? new Set()
      views.add(view)
      this.#byType.set(type, views)
    }
    return view
  }
}
