import { useQuery } from '@tanstack/react-query'
import type { NotificationDelivery, NotificationPreferences } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { queryClient } from '../../../ground/api/query-client.ts'
import { ownTimeZone } from '../../../ground/i18n/moment-text.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { language, type TextKey, t, writtenLocale } from '../../../ground/i18n/translate.ts'
import { type Option, Select } from '../../../ground/kit/field/select.tsx'
import { Form, FormProblem } from '../../../ground/kit/form/form.tsx'
import { type FormState, useForm } from '../../../ground/kit/form/use-form.ts'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import classes from './profile.module.css'

const queryKey = ['notification-preferences']

const titles: Readonly<Record<string, TextKey>> = {
  assigned: 'inbox.assigned',
  mentioned: 'inbox.mentioned',
  transitions: 'inbox.transitions',
  outdated: 'inbox.outdated',
}

/** Notifications about events, which can be sent immediately; the others are about states, which only a digest reports. */
const immediateSections = new Set(['assigned', 'mentioned'])

/** Edits which notifications are mailed, and when. */
export default function Notifications() {
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => admin.notificationPreferences({ signal }),
  })
  return (
    <section className={classes.section}>
      <h2>{t('profile.notifications')}</h2>
      <p className={classes.hint}>{t('profile.notificationsHint')}</p>
      {error !== null && <p role="alert">{errorText(error)}</p>}
      {data === undefined && error === null && <Skeleton lines={4} />}
      {data?.mailConfigured === false && <p>{t('profile.noMail')}</p>}
      {data?.digestsSent === false && <p>{t('profile.noDigest')}</p>}
      {data !== undefined && <PreferencesForm preferences={data} />}
    </section>
  )
}

function PreferencesForm({ preferences }: { readonly preferences: NotificationPreferences }) {
  const { sections, frequency, weekday, hour } = preferences
  const form = useForm({
    initial: {
      ...{ sections, frequency, weekday: String(weekday), hour: String(hour) },
      timeZone: isAskedFor(preferences) ? preferences.timeZone : ownTimeZone(),
    },
    send: (values) =>
      admin.changeNotificationPreferences({
        ...values,
        ...{ weekday: Number(values.weekday), hour: Number(values.hour), language: language() },
      }),
    onDone(saved) {
      queryClient.setQueryData(queryKey, saved)
      toast('success', t('profile.notificationsSaved'))
    },
  })
  const { values, set, problemOf } = form
  return (
    <Form form={form} action={t('profile.saveNotifications')}>
      {Object.entries(values.sections).map(([section, delivery]) => (
        <Select
          key={section}
          label={titles[section] === undefined ? section : t(titles[section])}
          options={deliveriesOf(section)}
          value={delivery}
          onChange={(chosen) =>
            set('sections', { ...values.sections, [section]: chosen as NotificationDelivery })
          }
        />
      ))}
      <FormProblem text={problemOf('sections')} />
      {Object.values(values.sections).includes('digest') && <DigestTime form={form} />}
    </Form>
  )
}

type DigestTimeForm = FormState<
  Pick<NotificationPreferences, 'frequency' | 'timeZone'> & { weekday: string; hour: string }
>

/** Edits when the digest is sent. */
function DigestTime({
  form: { values, set, input },
}: {
  readonly form: Pick<DigestTimeForm, 'values' | 'set' | 'input'>
}) {
  return (
    <>
      <Select
        label={t('profile.frequency')}
        options={frequencies()}
        {...input('frequency')}
        onChange={(chosen) => set('frequency', chosen as NotificationPreferences['frequency'])}
      />
      {values.frequency === 'weekly' && (
        <Select label={t('profile.weekday')} options={weekdays()} {...input('weekday')} />
      )}
      <Select label={t('profile.hour')} options={hours()} {...input('hour')} />
      <Select label={t('profile.timeZone')} options={timeZones(values.timeZone)} {...input('timeZone')} />
    </>
  )
}

const isAskedFor = ({ sections }: NotificationPreferences) =>
  Object.values(sections).some((delivery) => delivery !== 'never')

const deliveriesOf = (section: string): Option[] => [
  { value: 'never', label: t('profile.never') },
  { value: 'digest', label: t('profile.digest') },
  ...(immediateSections.has(section) ? [{ value: 'immediately', label: t('profile.immediately') }] : []),
]

const frequencies = (): Option[] => [
  { value: 'daily', label: t('profile.daily') },
  { value: 'weekly', label: t('profile.weekly') },
]

function weekdays(): Option[] {
  const format = new Intl.DateTimeFormat(writtenLocale(), { weekday: 'long', timeZone: 'UTC' })
  // 1 January 2024 was a Monday.
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({
    value: String(day),
    label: format.format(Date.UTC(2024, 0, day)),
  }))
}

function hours(): Option[] {
  const format = new Intl.DateTimeFormat(writtenLocale(), { timeStyle: 'short', timeZone: 'UTC' })
  return Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: format.format(Date.UTC(2024, 0, 1, hour)),
  }))
}

/** The time zones to choose from; browsers do not list all that they support, UTC for example. */
function timeZones(chosen: string): Option[] {
  const names = new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])
  return [...names].sort().map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))
}
