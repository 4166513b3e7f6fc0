import { createToken, type Token, type TokenOptions } from './token.ts'

/** A typed name for something that has happened, such as `content:afterCreate`. */
export interface HookToken<Payload> extends Token {
  readonly kind: 'hook'
  /** Never set: it only carries the type. */
  readonly type?: Payload
}

/** A listener of a hook. Errors it throws are logged under its plugin's name and never reach the emitter. */
export type Listener<Payload> = (payload: Payload) => unknown

/**
 * Creates the token of a hook; `id` has the form `<plugin>:<whatHappened>`. The plugin that emits it lists it
 * in `hooks`.
 */
export function hook<Payload>(id: string, options?: TokenOptions): HookToken<Payload> {
  return Object.freeze(createToken('hook', id, options))
}

/**
 * Emitted to start listening for HTTP and to start schedulers. Listeners run in order; one that throws stops
 * the start.
 */
export const appStart = hook<void>('app:start')

/** Emitted when the service stops: accept nothing new, finish what is running. */
export const appStop = hook<void>('app:stop')
