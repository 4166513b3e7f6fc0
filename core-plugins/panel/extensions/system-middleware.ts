import {
  appStart,
  compilePipeline,
  type ExtensionPoint,
  type HookToken,
  matcherOf,
  middlewarePoint,
  type Next,
  type Pipeline,
  type RegisterContext,
  type Stage,
} from '../../../kernel/index.ts'
import {
  type EntryEvent,
  entryCreated,
  entryDeleted,
  entryPublished,
  entryUnpublished,
  entryUpdated,
} from '../../entries/content/content.ts'

/** The events that system middleware wraps: startup, and every change of an entry after its commit. */
export type SystemEvent =
  | { readonly name: 'app:start'; readonly payload: undefined }
  | { readonly name: ContentEventName; readonly payload: EntryEvent }

/** The events of content that system middleware can wrap. */
export type ContentEventName =
  | 'content:afterCreate'
  | 'content:afterUpdate'
  | 'content:afterDelete'
  | 'content:published'
  | 'content:unpublished'

const contentEvents = [entryCreated, entryUpdated, entryDeleted, entryPublished, entryUnpublished]
const events = [appStart, ...contentEvents] as readonly HookToken<unknown>[]

/** System middleware (specification, "Extension routes"): `target` is the name of the event. */
export type SystemStage = Stage<string, SystemEvent, void>

/** Middleware around the start and around events of content. Contribute in `init`. */
export const systemMiddleware: ExtensionPoint<SystemStage> = middlewarePoint('systemMiddleware')

/** System middleware as plugins write it. */
export interface SystemMiddleware {
  /** For messages: the plugin, and what the middleware does. */
  readonly name: string
  /** Names of events; `*` matches any characters: `app:start`, `content:*`. */
  readonly events: string | readonly string[]
  /** Lower runs earlier; default 0. */
  readonly order?: number
  /** Later middleware and listeners only receive the event if it calls `next`. */
  run(event: SystemEvent, next: Next<void>): void | Promise<void>
}

/** Creates a contribution to `systemMiddleware`. @throws Error if a pattern matches no event */
export function defineSystemMiddleware({
  name,
  events: patterns,
  order,
  run,
}: SystemMiddleware): SystemStage {
  for (const pattern of [patterns].flat()) assertEvent(name, pattern)
  return { name, ...(order === undefined ? {} : { order }), matches: matcherOf(patterns), run }
}

function assertEvent(name: string, pattern: string) {
  const names = events.map(({ id }) => id)
  if (names.some(matcherOf(pattern))) return
  throw new Error(`the middleware ${name} waits for ${pattern}, but there are only ${names.join(', ')}`)
}

/** Listens to the events; the returned function compiles the chains, once all contributions are in. */
export function runSystemMiddleware({ on, contributions }: Pick<RegisterContext, 'on' | 'contributions'>) {
  const chains = new Map<string, Pipeline<SystemEvent, void>>()
  for (const token of events) {
    on(token, (payload) => chains.get(token.id)?.({ name: token.id, payload } as unknown as SystemEvent))
  }
  return () => {
    const stages = contributions(systemMiddleware)
    for (const { id } of events) {
      if (stages.some((stage) => stage.matches(id)))
        chains.set(
          id,
          compilePipeline(stages, id, () => undefined),
        )
    }
  }
}
