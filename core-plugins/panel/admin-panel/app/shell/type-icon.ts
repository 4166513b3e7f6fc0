import type { DescribedType } from '../ground/api/content-types.ts'

/** The icon named by the type's schema file, else one for its kind. */
export function typeIcon({ kind, pluginOptions }: Pick<DescribedType, 'kind' | 'pluginOptions'>): string {
  const { icon } = (pluginOptions.panel ?? {}) as { readonly icon?: unknown }
  if (typeof icon === 'string') return icon
  return kind === 'singleType' ? 'file-text' : 'files'
}
