/** A typed name under which one plugin provides something and others use it. */
export interface ServiceToken<T> {
  readonly id: string
  /** Never set: it carries the type only. */
  readonly type?: T
}

/** Makes the token of a service; `id` is for messages and must be unique in a process. */
export function service<T>(id: string): ServiceToken<T> {
  return Object.freeze({ id })
}

/** What a plugin says it uses: the names it wants to know the services by. */
export type ServiceTokens = Readonly<Record<string, ServiceToken<unknown>>>

/** The services themselves, under the names that the plugin chose. */
export type ServicesOf<Tokens extends ServiceTokens> = {
  readonly [Name in keyof Tokens]: Tokens[Name] extends ServiceToken<infer T> ? T : never
}

/** Like `ServicesOf`, for services that may be missing because their plugin is switched off. */
export type OptionalServicesOf<Tokens extends ServiceTokens> = {
  readonly [Name in keyof Tokens]: Tokens[Name] extends ServiceToken<infer T> ? T | undefined : never
}
