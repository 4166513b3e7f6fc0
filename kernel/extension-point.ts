import { createToken, type Token, type TokenOptions } from './token.ts'

/** A typed list that other plugins contribute to, such as `routes` or `tables`. */
export interface ExtensionPoint<T> extends Token {
  readonly kind: 'extension point'
  /** The number that orders a value, if values carry one. */
  orderOf?(value: T): number | undefined
  /** Never set: it only carries the type. */
  readonly type?: T
}

/**
 * Creates an extension point; `id` is a plural noun, and `<plugin>:<plural>` outside the core. The plugin that
 * reads it lists it in `points`.
 */
export function extensionPoint<T>(id: string, options?: TokenOptions): ExtensionPoint<T> {
  return Object.freeze(createToken('extension point', id, options))
}
