import { alerts } from '../parts/alerts/operations.ts'
import { audit } from '../parts/audit/operations.ts'
import { backups } from '../parts/backups/operations.ts'
import { database } from '../parts/database/operations.ts'
import { extensions } from '../parts/extensions/operations.ts'
import { jobs } from '../parts/jobs/operations.ts'
import { metrics } from '../parts/metrics/operations.ts'
import { schedules } from '../parts/schedules/operations.ts'
import { webhooks } from '../parts/webhooks/operations.ts'
import { createArea } from '../shell/area.tsx'
import { addParts } from '../shell/panel-part.ts'

// In the order of the navigation.
addParts('operations', { alerts, jobs, schedules, webhooks, backups, audit, database, metrics, extensions })

/** The area for monitoring and operating the service. */
export default createArea({ title: 'shell.operations', start: '/operations' })
