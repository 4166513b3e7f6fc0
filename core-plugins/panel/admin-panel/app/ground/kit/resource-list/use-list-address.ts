import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { ResourceFilter } from './resource.ts'

/** The state of a list in the URL, so that a link or the back button shows the same. */
export interface ListAddress {
  /** Values by filter name; '' for all. */
  readonly values: Readonly<Record<string, string>>
  readonly isNarrowed: boolean
  /** How many rows come before the first one of the page. */
  readonly offset: number
  /** The id of the row whose detail is shown. */
  readonly opened: string | undefined
  narrow(name: string, value: string): void
  showAll(): void
  goTo(offset: number): void
  open(id: string | number | undefined): void
}

/** Reads and changes the URL. Unknown parts are ignored, since URLs are mistyped and truncated. */
export function useListAddress(filters: readonly ResourceFilter[]): ListAddress {
  const [query, setQuery] = useSearchParams()
  return useMemo(() => {
    const values = Object.fromEntries(
      filters.map(({ name, initial = '' }) => [name, query.get(name) ?? initial]),
    )
    const change = (apply: (next: URLSearchParams) => void, options?: { readonly replace: boolean }) =>
      setQuery((current) => {
        const next = new URLSearchParams(current)
        apply(next)
        return next
      }, options)
    /** A changed filter starts at the first row, with no row open. */
    const narrow = (chosen: Readonly<Record<string, string>>) =>
      change((next) => {
        next.delete('offset')
        next.delete('open')
        for (const { name, initial = '' } of filters) {
          const value = chosen[name]
          if (value === undefined) continue
          if (value === initial) next.delete(name)
          else next.set(name, value)
        }
      })
    return {
      values,
      isNarrowed: Object.values(values).some((value) => value !== ''),
      offset: offsetOf(query.get('offset') ?? ''),
      opened: query.get('open') || undefined,
      narrow: (name, value) => narrow({ [name]: value }),
      showAll: () => narrow(Object.fromEntries(filters.map(({ name }) => [name, '']))),
      goTo: (offset) =>
        change((next) => (offset === 0 ? next.delete('offset') : next.set('offset', String(offset)))),
      open: (id) =>
        change((next) => (id === undefined ? next.delete('open') : next.set('open', String(id))), {
          replace: id === undefined,
        }),
    }
  }, [filters, query, setQuery])
}

const offsetOf = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : 0)
