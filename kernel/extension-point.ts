/** A typed list that other plugins contribute to, such as `routes` or `tables`. */
export interface ExtensionPoint<T> {
  readonly id: string
  /** The number that orders a value, if values carry one. */
  orderOf?(value: T): number | undefined
  /** Never set: it only carries the type. */
  readonly type?: T
}

/** Creates an extension point; `id` is a plural noun. */
export function extensionPoint<T>(id: string): ExtensionPoint<T> {
  return Object.freeze({ id })
}
