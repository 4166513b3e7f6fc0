import type { AuditEntry } from '../../../../../../client/admin.ts'
import { t } from '../../ground/i18n/translate.ts'

/** Who it was: a name with kind and id, because names can be given anew. */
export const actorText = ({ actor }: AuditEntry): string =>
  actor === null ? t('operations.audit.service') : `${actor.name} (${actor.kind}:${actor.id})`
