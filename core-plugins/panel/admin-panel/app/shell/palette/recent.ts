import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useAccess } from '../../ground/access/access.ts'

/** A screen visited in this tab. */
export interface Recent {
  readonly path: string
  readonly title: string
}

const most = 8

/** Stored per tab and user: titles of entries must not be visible to the next user of the computer. */
const keyOf = (userId: number) => `mortise.recent.${userId}`

/** The most recently left screen comes first. */
export function readRecent(userId: number): readonly Recent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent) : []
  } catch {
    return []
  }
}

/** Records entries and files, with their titles, when the user leaves their screens. */
export function useRecentScreens() {
  const [location] = useLocation()
  const { user } = useAccess()
  useEffect(() => {
    if (!/^\/(content|media)\/.*\d+$/.test(location)) return undefined
    return () => {
      const [title = ''] = document.title.split(' · ')
      const others = readRecent(user.id).filter(({ path }) => path !== location)
      const next = [{ path: location, title }, ...others].slice(0, most)
      sessionStorage.setItem(keyOf(user.id), JSON.stringify(next))
    }
  }, [location, user.id])
}

const isRecent = (value: unknown): value is Recent =>
  typeof value === 'object' && value !== null && 'path' in value && 'title' in value
