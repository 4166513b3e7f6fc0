import type { Job } from '../../../../../../client/admin.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Data, Facts, Moment } from '../../ground/kit/resource-list/facts.tsx'

/** The details of a job. */
export function JobDetail({ job }: { readonly job: Job }) {
  return (
    <>
      <Facts
        facts={[
          [t('operations.jobs.status'), t(`operations.jobs.statuses.${job.status}`)],
          [
            t('operations.jobs.attempts'),
            t('operations.jobs.ofAttempts', { attempts: job.attempts, most: job.maxAttempts }),
          ],
          [t('operations.jobs.progress'), t('operations.jobs.percent', { percent: job.progress })],
          [t('operations.jobs.key'), job.key],
          [t('operations.jobs.mailbox'), job.mailbox],
          [t('operations.jobs.created'), <Moment key="created" at={job.created_at} />],
          [t('operations.jobs.runAt'), <Moment key="run" at={job.run_at} />],
          [t('operations.jobs.started'), job.started_at && <Moment key="started" at={job.started_at} />],
          [t('operations.jobs.finished'), job.finished_at && <Moment key="finished" at={job.finished_at} />],
        ]}
      />
      <Data label={t('operations.jobs.error')} value={job.error} />
      <Data label={t('operations.jobs.payload')} value={job.payload} />
      <Data label={t('operations.jobs.result')} value={job.result} />
    </>
  )
}
