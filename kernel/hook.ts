/** A typed name of something that happened, such as `content:afterCreate`. */
export interface HookToken<Payload> {
  readonly id: string
  /** Never set: it carries the type only. */
  readonly type?: Payload
}

/** A listener of a hook. What it throws is logged under its plugin's name and never reaches the emitter. */
export type Listener<Payload> = (payload: Payload) => unknown

/** Makes the token of a hook; `id` reads `<plugin>:<whatHappened>`. */
export function hook<Payload>(id: string): HookToken<Payload> {
  return Object.freeze({ id })
}

/** The HTTP server listens and schedulers start. Listeners run in order; one that throws stops the start. */
export const appStart = hook<void>('app:start')

/** The service is stopping: accept nothing new, finish what runs. */
export const appStop = hook<void>('app:stop')
