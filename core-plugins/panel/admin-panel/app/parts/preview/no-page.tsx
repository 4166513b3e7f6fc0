import { labelOf } from '../../content/schema/label.ts'
import { useAccess } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { t } from '../../ground/i18n/translate.ts'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import type { PreviewAddress } from './preview-address.ts'

export interface NoPageProps {
  readonly address: PreviewAddress
  readonly type: DescribedType
}

/** Explains why there is no preview and what to do. */
export function NoPage({ address, type }: NoPageProps) {
  const { isSuperAdmin, isOn } = useAccess()
  if (address.kind === 'unsaved') {
    return (
      <EmptyState icon="eye-off" title={t('preview.unsaved')}>
        {t('preview.unsavedText')}
      </EmptyState>
    )
  }
  if (address.kind === 'incomplete') {
    const named = (name: string) => labelOf(type.attributes.find((each) => each.name === name) ?? { name })
    return (
      <EmptyState icon="eye-off" title={t('preview.incomplete')}>
        {t('preview.incompleteText', { fields: address.fields.map(named).join(', ') })}
      </EmptyState>
    )
  }
  const origin = address.kind === 'refused' ? address.origin : undefined
  return (
    <EmptyState
      icon="shield-x"
      title={t('preview.unlisted')}
      action={
        isSuperAdmin &&
        isOn('runtime-config') && <Link to="/settings/security">{t('preview.toSettings')}</Link>
      }
    >
      {origin === undefined ? t('preview.noOrigin') : t('preview.unlistedText', { origin })}
    </EmptyState>
  )
}
