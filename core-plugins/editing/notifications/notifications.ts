import { type Static, type TObject, Type } from 'typebox'
import { type RecordOf, strict } from '../../foundation/http/http.ts'

/** How somebody is told of what is new in a section of their inbox. */
export const deliverySchema = Type.Enum(['never', 'digest', 'immediately'])
/** What an admin user chooses. */
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

/** Of what an admin user wants to be told by mail, and when, as the API shows it. */
export const preferencesSchema = Type.Object(
  {
    ...chosen,
    mailConfigured: Type.Boolean({ description: 'Whether the service can send mail at present' }),
    digestsSent: Type.Boolean({ description: 'Not while the plugin `schedules` is off' }),
  },
  strict,
)

/** How somebody is told of what is new in a section of their inbox. */
export type Delivery = Static<typeof deliverySchema>

/** Of what an admin user wants to be told by mail, and when; sections that are missing are not told of. */
export type NotificationPreferences = RecordOf<TObject<typeof chosen>>

/** How often the digest is sent. */
export type Frequency = NotificationPreferences['frequency']

/** The sections whose news can be told at once. */
export const immediateSections: ReadonlySet<string> = new Set(['assigned', 'mentioned'])
