/** Where something is declared, and by whom. */
export interface Origin {
  /** The path shown in messages. */
  readonly path: string
  /** The plugin that declares it; undefined: the project, or it is built in. */
  readonly plugin?: string
  /** What names that the plugin adds must begin with; undefined: they may be any. */
  readonly space?: string
}

/** An origin as messages name it beside another one. */
export function describeOrigin({ path, plugin }: Origin): string {
  return plugin === undefined ? path : `${path} of the plugin ${plugin}`
}
