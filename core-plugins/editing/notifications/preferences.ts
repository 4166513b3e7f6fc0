import { nextRun } from '../../background/schedules/schedules.ts'
import type { ErrorDetail } from '../../foundation/http/http.ts'
import { type Delivery, immediateSections, type NotificationPreferences } from './notifications.ts'

/** For users who have never chosen: no mail without a request. */
export const noPreferences: NotificationPreferences = Object.freeze({
  sections: {},
  frequency: 'daily',
  weekday: 1,
  hour: 7,
  timeZone: 'UTC',
  language: 'en',
})

/** The sections with the given way of delivery. */
export function sectionsBy(delivery: Delivery, { sections }: Pick<NotificationPreferences, 'sections'>) {
  return new Set(Object.keys(sections).filter((section) => sections[section] === delivery))
}

/** When the next digest is due; null without one. */
export function nextDigest(preferences: NotificationPreferences, after: Date): string | null {
  const { frequency, weekday, hour, timeZone } = preferences
  if (sectionsBy('digest', preferences).size === 0) return null
  return nextRun(`0 ${hour} * * ${frequency === 'daily' ? '*' : weekday}`, timeZone, after)
}

/** Problems that the schema of preferences cannot express; `known` are the sections of the inbox. */
export function problemsOf(
  { sections = {}, timeZone }: Partial<NotificationPreferences>,
  known: readonly string[],
): ErrorDetail[] {
  const problems = Object.entries(sections).flatMap(([section, delivery]) =>
    sectionProblems(section, delivery, known),
  )
  if (timeZone === undefined || isTimeZone(timeZone)) return problems
  const message = 'must be the name of a time zone, such as Europe/Berlin'
  return [...problems, { path: 'timeZone', code: 'timeZone', message }]
}

function sectionProblems(section: string, delivery: Delivery, known: readonly string[]): ErrorDetail[] {
  const path = `sections.${section}`
  if (!known.includes(section)) {
    const message = `is no section of the inbox: there are ${known.join(', ') || 'none'}`
    return [{ path, code: 'unknown', message }]
  }
  if (delivery !== 'immediately' || immediateSections.has(section)) return []
  const message = `cannot be told at once: only ${[...immediateSections].join(', ')}`
  return [{ path, code: 'immediately', message }]
}

function isTimeZone(name: string): boolean {
  try {
    return nextRun('0 0 * * *', name, new Date()) !== null
  } catch {
    return false
  }
}
