import { Type } from 'typebox'
import type { Email } from '../../accounts/email/email.ts'
import {
  type AdminPrincipal,
  assertValid,
  defineRoute,
  ignored,
  type Principal,
  presenterOf,
  type Route,
  strict,
} from '../../foundation/http/http.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { chosen, type NotificationPreferences, preferencesSchema } from './notifications.ts'
import type { PreferenceStore } from './preference-store.ts'
import { problemsOf } from './preferences.ts'

export interface PreferenceRouteParts {
  readonly store: PreferenceStore
  readonly inbox: Inbox
  readonly email: Email
  /** Whether digests are sent when they are due (the plugin `schedules` is on). */
  readonly sendsDigests: boolean
}

const shared = {
  tag: 'Panel',
  access: 'admin-user',
  path: '/admin/notifications/preferences',
  response: preferencesSchema,
  maxBodyBytes: 8 * 1024,
} as const

const present = presenterOf(preferencesSchema)

/** See docs/admin-api.md. */
export function preferenceRoutes({ store, inbox, email, sendsDigests }: PreferenceRouteParts): Route[] {
  const known = () => inbox.sections()
  const presentAll = (preferences: NotificationPreferences) =>
    present({
      ...preferences,
      sections: Object.fromEntries(
        known().map((section) => [section, preferences.sections[section] ?? 'never'] as const),
      ),
      mailConfigured: email.isConfigured,
      digestsSent: sendsDigests,
    })
  return [
    defineRoute({
      ...shared,
      name: 'admin:notifications.read',
      method: 'GET',
      summary: 'Of what the caller is told by mail',
      description: 'Every section of the inbox is there; until the caller has chosen, nothing is told.',
      handler: async ({ principal }) => presentAll(await store.find(idOf(principal))),
    }),
    defineRoute({
      ...shared,
      name: 'admin:notifications.update',
      method: 'PUT',
      summary: 'Choose of what to be told by mail',
      audit: false,
      body: Type.Object(
        {
          sections: Type.Optional(chosen.sections),
          frequency: Type.Optional(chosen.frequency),
          weekday: Type.Optional(chosen.weekday),
          hour: Type.Optional(chosen.hour),
          timeZone: Type.Optional(chosen.timeZone),
          language: Type.Optional(chosen.language),
          ...ignored('mailConfigured', 'digestsSent'),
        },
        strict,
      ),
      furtherProblems: ({ body }) => problemsOf(body, known()),
      async handler({ principal, body: { mailConfigured, digestsSent, ...change } }) {
        assertValid(problemsOf(change, known()))
        return presentAll(await store.change(idOf(principal), change))
      },
    }),
  ]
}

/** The guard admits admin users only. */
const idOf = (principal: Principal) => (principal as AdminPrincipal).id
