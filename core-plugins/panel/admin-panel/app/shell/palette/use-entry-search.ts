import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { type DescribedType, useContentTypes } from '../../ground/api/content-types.ts'
import { type FoundEntry, useContributions } from '../panel-part.ts'
import type { PaletteItem } from './palette-item.ts'

const shortest = 2
const mostHits = 8
const mostTypes = 6
const hitsOfType = 3
/** In milliseconds: long enough to type the next letter. */
const pauseMs = 120

/** Entries that match a text: by the service's full-text search if it is on, otherwise by title. */
export function useEntrySearch(text: string): readonly PaletteItem[] {
  const wanted = usePaused(text.trim())
  const { mayContent } = useAccess()
  const [search] = useContributions('entrySearches')
  const types = (useContentTypes() ?? []).filter(({ system, name }) => !system && mayContent(name, 'read'))
  const { data = [] } = useQuery({
    queryKey: ['palette', wanted],
    queryFn: ({ signal }) =>
      search?.({ text: wanted, most: mostHits }, signal) ?? searchTitles(types, wanted, signal),
    enabled: wanted.length >= shortest,
    placeholderData: keepPreviousData,
  })
  if (wanted.length < shortest) return []
  return data.map(({ type, id, title }) => ({
    id: `${type} ${id}`,
    label: title === '' ? String(id) : title,
    icon: 'file-text',
    note: types.find(({ name }) => name === type)?.info.displayName ?? type,
    to: `/content/${type}/${id}`,
  }))
}

async function searchTitles(types: readonly DescribedType[], text: string, signal: AbortSignal) {
  const named = types.filter(
    ({ kind, titleField, attributes }) =>
      kind === 'collectionType' &&
      attributes.some(({ name, type }) => name === titleField && type === 'string'),
  )
  const found = named.slice(0, mostTypes).map(async ({ name, titleField }): Promise<FoundEntry[]> => {
    const query = new URLSearchParams({
      [`filters[${titleField}][$containsi]`]: text,
      fields: `id,${titleField}`,
      limit: String(hitsOfType),
    })
    const rows = await api.send<readonly Readonly<Record<string, unknown>>[]>(
      'GET',
      `/content/${name}?${query}`,
      {
        signal,
      },
    )
    return rows.map((row) => ({ type: name, id: Number(row.id), title: String(row[titleField] ?? '') }))
  })
  return (await Promise.all(found)).flat()
}

/** A value, delayed until it has been stable for `pauseMs`. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}
