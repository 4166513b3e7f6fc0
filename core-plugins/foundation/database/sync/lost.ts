import type { ColumnSpec } from '../tables/table-spec.ts'

/** What dropping something loses; what a plugin declared may only be undeclared because the plugin is off. */
export function lost(
  what: string,
  { plugin }: { readonly plugin?: ColumnSpec['plugin'] | undefined },
): string {
  return plugin === undefined ? `${what} would be lost` : `${what}, of the plugin ${plugin}, would be lost`
}
