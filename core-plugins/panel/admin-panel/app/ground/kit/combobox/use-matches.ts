import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { t } from '../../i18n/translate.ts'

export interface MatchesOptions<T> {
  readonly queryKey: QueryKey
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<readonly T[]>
  /** False while nobody has come to the field. */
  readonly isWanted?: boolean
}

/** What a search for a `Combobox` has found, and what to say while there is nothing: it may not have been answered. */
export function useMatches<T>({ queryKey, queryFn, isWanted = true }: MatchesOptions<T>) {
  const { data, isError, isFetching, isPaused, refetch } = useQuery({
    queryKey,
    queryFn,
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  // Offline, requests wait.
  const hasFailed = isError || isPaused
  return {
    // What was found for another text is no answer to this one.
    matches: hasFailed ? [] : (data ?? []),
    emptyText: hasFailed ? t('kit.searchFailed') : isFetching ? t('kit.searching') : undefined,
    /** Once more, if it has failed: somebody comes back to the field. */
    retry: () => {
      if (isError) void refetch()
    },
  }
}
