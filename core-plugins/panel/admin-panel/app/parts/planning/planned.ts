import { useQuery } from '@tanstack/react-query'
import type { Calendar, CalendarEntry, CalendarRelease } from '../../../../../../client/admin.ts'
import { type Access, useAccess } from '../../ground/access/access.ts'
import { admin } from '../../ground/api/admin.ts'
import { api } from '../../ground/api/client.ts'
import { addDays, type Day, dayOf, startOf } from './days.ts'

/** A planned change. */
export interface Planned {
  readonly key: string
  readonly kind: 'publish' | 'unpublish' | 'release'
  readonly title: string
  readonly at: string
  /** The path of its screen. */
  readonly to: string
  readonly hasConflict: boolean
  /** Whether it has happened or failed. */
  readonly isOver: boolean
  /** Undefined if the user may not move it. */
  readonly move: ((at: string) => Promise<unknown>) | undefined
}

/** The planned and past publications on some days, by day. */
export function usePlanned(days: readonly Day[]) {
  const access = useAccess()
  const from = startOf(days[0] ?? '').toISOString()
  const to = startOf(addDays(days.at(-1) ?? '', 1)).toISOString()
  const { data, error } = useQuery({
    queryKey: ['calendar', from, to],
    queryFn: ({ signal }) => admin.calendar(from, to, { signal }),
  })
  return { error, hasMore: data?.hasMore === true, planned: data && plannedIn(data, access) }
}

function plannedIn({ entries, releases }: Calendar, access: Access): readonly Planned[] {
  const all = [...entries.map((entry) => ofEntry(entry, access)), ...releases.map(ofRelease)]
  // On a day, future items come before past ones, so that they stay visible.
  return all.sort(
    (left, right) =>
      dayOf(left.at).localeCompare(dayOf(right.at)) ||
      Number(left.isOver) - Number(right.isOver) ||
      left.at.localeCompare(right.at),
  )
}

function ofEntry({ type, id, title, action, at, conflict }: CalendarEntry, access: Access): Planned {
  const path = `/content/${encodeURIComponent(type)}/${id}`
  const requests = {
    publish: (time: string) => api.send('PUT', `${path}/publish`, { body: { publishedAt: time } }),
    unpublish: (time: string) => api.send('PUT', `${path}/unpublish-at`, { body: { unpublishAt: time } }),
  }
  const isOver = Date.parse(at) <= Date.now()
  return {
    ...{ key: `${type} ${id} ${action}`, kind: action, title: title ?? `#${id}`, at },
    ...{ to: `/content/${type}/${id}`, hasConflict: conflict, isOver },
    move: !isOver && access.mayContent(type, 'publish') ? requests[action] : undefined,
  }
}

function ofRelease({ id, name, status, at, conflict, mayMove }: CalendarRelease): Planned {
  return {
    ...{ key: `release ${id}`, kind: 'release', title: name, at, to: `/releases/${id}` },
    ...{ hasConflict: conflict, isOver: status === 'published' },
    move: mayMove ? (scheduledAt) => admin.releases.update(id, { scheduledAt }) : undefined,
  }
}

/** Groups items by their days, in the order of the days. */
export function byDay(
  planned: readonly Planned[],
  placeOf: (item: Planned) => string,
): ReadonlyMap<Day, readonly Planned[]> {
  const days = new Map<Day, Planned[]>()
  for (const item of planned) {
    const day = dayOf(placeOf(item))
    days.set(day, [...(days.get(day) ?? []), item])
  }
  return days
}
