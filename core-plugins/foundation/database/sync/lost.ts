import type { ColumnSpec } from '../tables/table-spec.ts'

/**
 * Why dropping something is not safe. Names the plugin that declared it, since it may be undeclared only because that
 * plugin is off.
 */
export function lost(
  what: string,
  { plugin }: { readonly plugin?: ColumnSpec['plugin'] | undefined },
): string {
  return plugin === undefined ? `${what} would be lost` : `${what}, of the plugin ${plugin}, would be lost`
}
