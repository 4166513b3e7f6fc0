import {
  appStart,
  compilePipeline,
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  matcherOf,
  type Next,
  type Pipeline,
  type RegisterContext,
  type Stage,
} from '../../kernel/index.ts'
import {
  type EntryEvent,
  entryCreated,
  entryDeleted,
  entryPublished,
  entryUnpublished,
  entryUpdated,
} from '../content/content.ts'

/** What system middleware stands around: the start, and every change of an entry after its commit. */
export type SystemEvent =
  | { readonly name: 'app:start'; readonly payload: undefined }
  | { readonly name: ContentEventName; readonly payload: EntryEvent }

export type ContentEventName =
  | 'content:afterCreate'
  | 'content:afterUpdate'
  | 'content:afterDelete'
  | 'content:afterPublish'
  | 'content:afterUnpublish'

const contentEvents = [entryCreated, entryUpdated, entryDeleted, entryPublished, entryUnpublished]
const events = [appStart, ...contentEvents] as readonly HookToken<unknown>[]

/** System middleware (specification, "Extension routes"): `target` is the name of the event. */
export type SystemStage = Stage<string, SystemEvent, void>

export const systemMiddleware: ExtensionPoint<SystemStage> = extensionPoint('systemMiddleware')

/** System middleware as plugins write it. */
export interface SystemMiddleware {
  /** For messages: the plugin and what the middleware does. */
  readonly name: string
  /** Names of events, with `*` for any characters: `app:start`, `content:*`. */
  readonly events: string | readonly string[]
  /** Lower runs earlier; 0 unless told otherwise. */
  readonly order?: number
  /** Those behind it hear of the event when it calls `next`, and not at all where it does not. */
  run(event: SystemEvent, next: Next<void>): void | Promise<void>
}

/** Makes what is contributed to `systemMiddleware`. @throws Error where a pattern means no event */
export function defineSystemMiddleware({
  name,
  events: patterns,
  order,
  run,
}: SystemMiddleware): SystemStage {
  for (const pattern of [patterns].flat()) expectEvent(name, pattern)
  return { name, ...(order === undefined ? {} : { order }), matches: matcherOf(patterns), run }
}

function expectEvent(name: string, pattern: string) {
  const names = events.map(({ id }) => id)
  if (names.some(matcherOf(pattern))) return
  throw new Error(`the middleware ${name} waits for ${pattern}, but there are only ${names.join(', ')}`)
}

/** Listens to the events; the answer compiles the chains, once everybody has contributed. */
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
