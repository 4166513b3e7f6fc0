/** Parameters in their canonical order. */
export interface AddressParameters {
  readonly since?: string
  readonly cursor?: string
  readonly types?: string | undefined
  readonly locale?: string | undefined
  readonly include?: string | undefined
  readonly limit?: number | undefined
  readonly wait?: number | undefined
  readonly poll?: number | undefined
}

const names = ['since', 'cursor', 'types', 'locale', 'include', 'limit', 'wait', 'poll'] as const

/** A path with its query, in one canonical spelling, so that caches recognise equal requests. */
export function changesAddress(
  apiPrefix: string,
  parameters: AddressParameters,
  below: '' | '/snapshot' = '',
): string {
  const pairs = names.flatMap((name) => {
    const value = parameters[name]
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`]
  })
  return `${apiPrefix}/changes${below}?${pairs.join('&')}`
}
