import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import type { Owner } from './owner.ts'

/** Badges for the kind, plugin and unsaved changes of a type or component. */
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
