import { t } from '../../ground/i18n/translate.ts'

/** An act, as the service has recorded it. */
export interface AuditRecord {
  readonly id: number
  readonly action: string
  readonly actor: { readonly kind: string; readonly id: number; readonly name: string } | null
  readonly resource: string | null
  readonly details: unknown
  readonly ip: string | null
  readonly created_at: string
}

/** Who it was: a name with kind and id, because names can be given anew. */
export const actorText = ({ actor }: AuditRecord): string =>
  actor === null ? t('operations.audit.service') : `${actor.name} (${actor.kind}:${actor.id})`
