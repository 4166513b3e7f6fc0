/** Where something is declared, and by which plugin. */
export interface Origin {
  /** The path shown in messages. */
  readonly path: string
  /** The plugin that declares it; undefined if the project declares it or it is built in. */
  readonly plugin?: string
  /** The prefix of names that the plugin adds; undefined if they may be arbitrary. */
  readonly space?: string
}

/** How messages name an origin next to another one. */
export function describeOrigin({ path, plugin }: Origin): string {
  return plugin === undefined ? path : `${path} of the plugin ${plugin}`
}
