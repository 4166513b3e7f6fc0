import { Type } from 'typebox'
import type { Email } from '../../accounts/email/email.ts'
import {
  type AdminPrincipal,
  assertValid,
  defineRoute,
  ignored,
  type Principal,
  type Route,
  strict,
} from '../../foundation/http/http.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { NotificationPreferences } from './notifications.ts'
import type { PreferenceStore } from './preference-store.ts'
import { problemsOf } from './preferences.ts'

export interface PreferenceRouteParts {
  readonly store: PreferenceStore
  readonly inbox: Inbox
  readonly email: Email
  /** Whether anything sends digests when their hour comes. */
  readonly sendsDigests: boolean
}

const delivery = Type.Enum(['never', 'digest', 'immediately'])
const chosen = {
  sections: Type.Record(Type.String(), delivery, {
    description:
      'By section of the inbox; `immediately` is for assignments and mentions only. Those that are left out of a ' +
      'change stay as they are.',
  }),
  frequency: Type.Enum(['daily', 'weekly'], { description: 'How often the digest is sent' }),
  weekday: Type.Integer({ minimum: 1, maximum: 7, description: 'Of a weekly digest: 1 is Monday' }),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Of the digest, in the time zone' }),
  timeZone: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$', description: 'IANA name' }),
  language: Type.String({
    pattern: '^[a-z]{2}$',
    description: 'Of the mails; English where there are no texts',
  }),
}

const preferencesSchema = Type.Object(
  {
    ...chosen,
    mailConfigured: Type.Boolean({ description: 'Whether the service can send mail at present' }),
    digestsSent: Type.Boolean({ description: 'Not while the plugin `schedules` is off' }),
  },
  strict,
)

const shared = {
  tag: 'Panel',
  access: 'admin-user',
  path: '/admin/notifications/preferences',
  response: preferencesSchema,
  maxBodyBytes: 8 * 1024,
} as const

/** See docs/admin-api.md. */
export function preferenceRoutes({ store, inbox, email, sendsDigests }: PreferenceRouteParts): Route[] {
  const known = () => inbox.sections()
  const present = ({ sections, ...preferences }: NotificationPreferences) => ({
    sections: Object.fromEntries(known().map((section) => [section, sections[section] ?? 'never'] as const)),
    ...timesOf(preferences),
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
      handler: async ({ principal }) => present(await store.find(idOf(principal))),
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
        return present(await store.change(idOf(principal), change))
      },
    }),
  ]
}

const timesOf = ({
  frequency,
  weekday,
  hour,
  timeZone,
  language,
}: Omit<NotificationPreferences, 'sections'>) => ({
  ...{ frequency, weekday, hour, timeZone, language },
})

/** The guard admits admin users only. */
const idOf = (principal: Principal) => (principal as AdminPrincipal).id
