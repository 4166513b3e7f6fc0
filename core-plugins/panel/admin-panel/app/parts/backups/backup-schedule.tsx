import { useQuery } from '@tanstack/react-query'
import type { BackupSchedule } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Checkbox } from '../../ground/kit/checkbox/checkbox.tsx'
import { Dialog } from '../../ground/kit/dialog/dialog.tsx'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { Form } from '../../ground/kit/form/form.tsx'
import { useForm } from '../../ground/kit/form/use-form.ts'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { asChoice, backupsResource, sectionsOf } from './backup.ts'
import { BackupFields } from './backup-fields.tsx'
import { retentionOf } from './retention.ts'

const path = `${backupsResource.path}/schedule`
const queryKey = [backupsResource.key, 'schedule']

/** Edits the schedule of automatic backups. */
export default function BackupScheduleDialog({ onClose }: { readonly onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.send<BackupSchedule>('GET', path, { signal }),
  })
  return (
    <Dialog isOpen title={t('operations.backups.scheduleTitle')} onClose={onClose}>
      {error !== null && <p role="alert">{errorText(error)}</p>}
      {data === undefined && error === null && <Skeleton lines={5} />}
      {data !== undefined && <ScheduleForm schedule={data} onDone={onClose} />}
    </Dialog>
  )
}

interface ScheduleFormProps {
  readonly schedule: BackupSchedule
  readonly onDone: () => void
}

function ScheduleForm({ schedule, onDone }: ScheduleFormProps) {
  const { enabled, cronExpression, retentionDays } = schedule
  const form = useForm({
    initial: {
      ...{ enabled, cronExpression, retentionDays: String(retentionDays) },
      sections: sectionsOf(schedule) as readonly string[],
    },
    send: ({ retentionDays: days, sections, ...values }) =>
      api.send('PUT', path, {
        body: { ...values, retentionDays: retentionOf(days), sections: asChoice(sections) },
      }),
    refreshes: [backupsResource.key, 'schedules'],
    onDone() {
      toast('success', t('operations.backups.scheduleSaved'))
      onDone()
    },
  })
  const { values, set, input } = form
  return (
    <Form form={form} action={t('operations.backups.scheduleSave')}>
      <Checkbox isSelected={values.enabled} onChange={(isOn) => set('enabled', isOn)}>
        {t('operations.backups.scheduleOn')}
      </Checkbox>
      <TextField
        label={t('operations.schedules.cron')}
        help={t('operations.schedules.cronHelp')}
        {...input('cronExpression')}
        maxLength={100}
      />
      <BackupFields form={form} />
    </Form>
  )
}
