import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import type { Owner } from './owner.ts'

/** Of what kind a type or component is, whose, and whether it has been changed. */
export function OwnerBadges({
  owner: { kind, isSingle, isSystem, plugin, state },
}: {
  readonly owner: Owner
}) {
  return (
    <>
      {kind === 'type' && <Badge>{isSingle ? t('model.single') : t('model.collection')}</Badge>}{' '}
      {isSystem && <Badge>{t('model.builtIn')}</Badge>}
      {plugin !== null && <Badge>{t('model.ofPlugin', { plugin })}</Badge>}
      {state === 'new' && <Badge tone="success">{t('model.new')}</Badge>}
      {state === 'changed' && <Badge tone="warning">{t('model.changed')}</Badge>}
    </>
  )
}
