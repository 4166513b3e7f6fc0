import { t } from '../../../ground/i18n/translate.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import { useContributions } from '../../../shell/panel-part.ts'
import type { List } from '../list-context.ts'

/** Changes between rows, and what stands in place of them. */
export function LayoutChoice({ list }: { readonly list: List }) {
  const { state, change } = list
  const layouts = useContributions('listLayouts').filter(({ mayShow }) => mayShow(list))
  return layouts.map(({ id, label, icon }) => {
    const isShown = state.layout === id
    return (
      <IconButton
        key={id}
        look="secondary"
        icon={isShown ? 'table' : icon}
        label={isShown ? t('list.asTable') : label()}
        onPress={() => change({ layout: isShown ? undefined : id })}
      />
    )
  })
}
