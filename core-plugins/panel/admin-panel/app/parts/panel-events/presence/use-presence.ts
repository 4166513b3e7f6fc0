import { useEffect, useState } from 'react'
import type { PresentPerson } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { live } from '../live.ts'

const heartbeatMs = 20_000
/** In milliseconds: fields are only announced after the focus has rested in them. */
const settleMs = 250

interface Place {
  readonly type: string
  readonly id: number
}

/** Announces the user's presence in an entry and field; returns the other people in it. */
export function usePresence(type: string, id: number | undefined): readonly PresentPerson[] {
  const [people, setPeople] = useState<readonly PresentPerson[]>([])
  useEffect(() => {
    if (id === undefined) return undefined
    const end = announcePresence({ type, id }, setPeople)
    return () => {
      end()
      setPeople([])
    }
  }, [type, id])
  return people
}

function announcePresence(place: Place, onPeople: (people: readonly PresentPerson[]) => void): () => void {
  let field: string | null = null
  let isOver = false
  let settling: ReturnType<typeof setTimeout> | undefined

  async function announce(): Promise<void> {
    if (live.stream === undefined || isOver) return
    // Errors are ignored, since the announcement is repeated periodically.
    const answer = await admin.presence(live.stream, { ...place, field }).catch(() => undefined)
    if (answer !== undefined && !isOver) onPeople(answer.people)
  }

  function onFocus() {
    const next = fieldOf(document.activeElement)
    if (next === field) return
    field = next
    clearTimeout(settling)
    settling = setTimeout(() => void announce(), settleMs)
  }

  const heartbeat = setInterval(() => void announce(), heartbeatMs)
  const unsubscribe = live.subscribe(({ kind, data }) => {
    if (kind === 'hello') void announce()
    if (kind === 'presence' && data.type === place.type && data.id === place.id) onPeople(data.people ?? [])
  })
  document.addEventListener('focusin', onFocus)
  void announce()
  return () => {
    isOver = true
    clearInterval(heartbeat)
    clearTimeout(settling)
    unsubscribe()
    document.removeEventListener('focusin', onFocus)
    if (live.stream !== undefined) void admin.presence(live.stream, null).catch(() => undefined)
  }
}

/** The path of the field that an element is in. */
function fieldOf(element: Element | null): string | null {
  return element?.closest<HTMLElement>('[data-path]')?.dataset.path?.slice(0, 255) ?? null
}
