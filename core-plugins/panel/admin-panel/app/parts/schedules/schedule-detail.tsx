import type { Schedule } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { t } from '../../ground/i18n/translate.ts'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { Form } from '../../ground/kit/form/form.tsx'
import { useForm } from '../../ground/kit/form/use-form.ts'
import { Facts, Moment } from '../../ground/kit/resource-list/facts.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { schedulesResource } from './schedule.ts'

interface ScheduleDetailProps {
  readonly schedule: Schedule
  readonly mayWrite: boolean
}

/** The last and next run of a job, and its schedule to edit. */
export function ScheduleDetail({ schedule, mayWrite }: ScheduleDetailProps) {
  return (
    <>
      <Facts
        facts={[
          [t('operations.schedules.when'), <code key="cron">{schedule.cronExpression}</code>],
          [t('operations.schedules.zone'), schedule.timezone],
          [
            t('operations.schedules.state'),
            schedule.enabled ? t('operations.schedules.on') : t('operations.schedules.paused'),
          ],
          [
            t('operations.schedules.nextRun'),
            schedule.nextRunAt && <Moment key="n" at={schedule.nextRunAt} />,
          ],
          [
            t('operations.schedules.lastRun'),
            schedule.lastRunAt && <Moment key="l" at={schedule.lastRunAt} />,
          ],
          [t('operations.schedules.lastStatus'), schedule.lastStatus],
        ]}
      />
      {mayWrite && <TimesForm schedule={schedule} />}
    </>
  )
}

function TimesForm({ schedule: { id, cronExpression } }: Pick<ScheduleDetailProps, 'schedule'>) {
  const { key, path } = schedulesResource
  const form = useForm({
    initial: { cronExpression },
    send: (body) => api.send('PUT', `${path}/${id}`, { body }),
    refreshes: [key],
    onDone: () => toast('success', t('operations.schedules.changed')),
  })
  return (
    <Form form={form} action={t('operations.schedules.save')}>
      <TextField
        label={t('operations.schedules.cron')}
        help={t('operations.schedules.cronHelp')}
        {...form.input('cronExpression')}
        maxLength={100}
      />
    </Form>
  )
}
