import { type Static, type TObject, Type } from 'typebox'
import { type RecordOf, strict } from '../../foundation/http/http.ts'

/** How a user is notified about news in a section of the inbox. */
export const deliverySchema = Type.Enum(['never', 'digest', 'immediately'])
/** The settings that an admin user can choose. */
export const chosen = {
  sections: Type.Record(Type.String(), deliverySchema, {
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

/** When and about what an admin user wants to be notified by mail, as the API shows it. */
export const preferencesSchema = Type.Object(
  {
    ...chosen,
    mailConfigured: Type.Boolean({ description: 'Whether the service can send mail at present' }),
    digestsSent: Type.Boolean({ description: 'Not while the plugin `schedules` is off' }),
  },
  strict,
)

/** How a user is notified about news in a section of the inbox. */
export type Delivery = Static<typeof deliverySchema>

/** When and about what an admin user wants to be notified by mail; there are no mails about missing sections. */
export type NotificationPreferences = RecordOf<TObject<typeof chosen>>

/** How often the digest is sent. */
export type Frequency = NotificationPreferences['frequency']

/** The sections that support immediate notifications. */
export const immediateSections: ReadonlySet<string> = new Set(['assigned', 'mentioned'])
