import type { AuditEntry } from '../../../../../../client/admin.ts'
import { t } from '../../ground/i18n/translate.ts'

/** The actor as name, kind and id, because names can be reused. */
export const actorText = ({ actor }: AuditEntry): string =>
  actor === null ? t('operations.audit.service') : `${actor.name} (${actor.kind}:${actor.id})`
