/** A typed list that other plugins contribute to, such as `routes` or `tables`. */
export interface ExtensionPoint<T> {
  readonly id: string
  /** Never set: it carries the type only. */
  readonly type?: T
}

/** Makes an extension point; `id` is a plural noun. */
export function extensionPoint<T>(id: string): ExtensionPoint<T> {
  return Object.freeze({ id })
}
