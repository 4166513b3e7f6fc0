import type { ReleaseAction } from '../../../../../../client/admin.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Select } from '../../ground/kit/field/select.tsx'

export interface ActionSelectProps {
  readonly value: ReleaseAction
  readonly onChange: (action: ReleaseAction) => void
}

/** A choice of what a release does with entries. */
export function ActionSelect({ value, onChange }: ActionSelectProps) {
  return (
    <Select
      label={t('releases.what')}
      value={value}
      onChange={(next) => onChange(next === 'unpublish' ? next : 'publish')}
      options={(['publish', 'unpublish'] as const).map((each) => ({
        value: each,
        label: t(`releases.action.${each}`),
      }))}
    />
  )
}
