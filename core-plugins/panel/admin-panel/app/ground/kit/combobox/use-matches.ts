import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { t } from '../../i18n/translate.ts'

export interface MatchesOptions<T> {
  readonly queryKey: QueryKey
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<readonly T[]>
  /** False until the field gets the focus. */
  readonly isWanted?: boolean
}

/** The results of a `Combobox` search, and the text to show if there are none, which may be an error. */
export function useMatches<T>({ queryKey, queryFn, isWanted = true }: MatchesOptions<T>) {
  const { data, isError, isFetching, isPaused, refetch } = useQuery({
    queryKey,
    queryFn,
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  // While offline, requests are paused.
  const hasFailed = isError || isPaused
  return {
    // Results for a previous text are not shown.
    matches: hasFailed ? [] : (data ?? []),
    emptyText: hasFailed ? t('kit.searchFailed') : isFetching ? t('kit.searching') : undefined,
    /** Repeats a failed search when the field gets the focus again. */
    retry: () => {
      if (isError) void refetch()
    },
  }
}
