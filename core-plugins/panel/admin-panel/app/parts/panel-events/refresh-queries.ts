import { queryClient } from '../../ground/api/query-client.ts'
import type { LiveEvent } from './live.ts'

/** In milliseconds: events are gathered this long, so that queries reload once. */
const gatherMs = 300

const waiting = new Map<string, readonly unknown[]>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Invalidates the queries affected by another user's change. */
export function refreshQueries({ kind, data: { type, id, operation } }: LiveEvent): void {
  if (kind === 'restart') invalidate([])
  if (kind === 'entry') {
    for (const shown of ['entries', 'titles']) invalidate([shown, type])
    if (operation === 'transition') invalidate(['inbox'])
  }
  if (kind === 'discussion') invalidate(['discussion', type, id])
  if (kind === 'inbox') invalidate(['inbox'])
  if (kind === 'alert') invalidate(['alerts'])
  if (kind === 'release') for (const shown of ['releases', 'scheduled']) invalidate([shown])
}

function invalidate(queryKey: readonly unknown[]): void {
  waiting.set(JSON.stringify(queryKey), queryKey)
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    for (const key of waiting.values()) void queryClient.invalidateQueries({ queryKey: key })
    waiting.clear()
  }, gatherMs)
}
