import { createToken, type Token, type TokenOptions } from './token.ts'

/** A typed name under which one plugin provides a service and others use it. */
export interface ServiceToken<T> extends Token {
  readonly kind: 'service'
  /** Never set: it only carries the type. */
  readonly type?: T
}

/** Creates the token of a service; `id` must be unique in a process. */
export function service<T>(id: string, options?: TokenOptions): ServiceToken<T> {
  return Object.freeze(createToken('service', id, options))
}
/** The services that a plugin uses, by the names it chose for them. */
export type ServiceTokens = Readonly<Record<string, ServiceToken<unknown>>>

/** The services themselves, by the names that the plugin chose. */
export type ServicesOf<Tokens extends ServiceTokens> = {
  readonly [Name in keyof Tokens]: Tokens[Name] extends ServiceToken<infer T> ? T : never
}

/** Like `ServicesOf`, for services that may be missing because their plugin is switched off. */
export type OptionalServicesOf<Tokens extends ServiceTokens> = {
  readonly [Name in keyof Tokens]: Tokens[Name] extends ServiceToken<infer T> ? T | undefined : never
}
