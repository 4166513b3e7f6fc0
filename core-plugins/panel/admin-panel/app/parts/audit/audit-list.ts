import { t } from '../../ground/i18n/translate.ts'
import type { ResourceFilter } from '../../ground/kit/resource-list/resource.ts'

export const auditResource = { key: 'audit', path: '/admin/audit-logs' }

/** The filters of the audit log, also used by its export. */
export const auditFilters = (): readonly ResourceFilter[] => [
  { name: 'action', label: t('operations.audit.action'), kind: 'text', placeholder: 'content.*' },
  { name: 'actor', label: t('operations.audit.actor'), kind: 'text', placeholder: 'admin:1' },
  { name: 'resource', label: t('operations.audit.resource'), kind: 'text', placeholder: 'article:5' },
  { name: 'from', label: t('operations.audit.from'), kind: 'moment' },
  { name: 'to', label: t('operations.audit.to'), kind: 'moment' },
]
