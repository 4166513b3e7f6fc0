import { lazy } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { useIsNarrow } from '../../kit/page/use-is-narrow.ts'
import { Popover } from '../../kit/popover/popover.tsx'
import type { List } from '../list-context.ts'

const ColumnChoices = lazy(() => import('./column-choices.tsx'))

/** Which columns are shown, and in which order. */
export function ColumnMenu({ list }: { readonly list: List }) {
  const isNarrow = useIsNarrow()
  const label = t('list.columns')
  return (
    <Popover
      label={label}
      trigger={
        isNarrow ? (
          <IconButton look="secondary" icon="columns-3" label={label} />
        ) : (
          <Button icon="columns-3">{label}</Button>
        )
      }
    >
      <ColumnChoices list={list} />
    </Popover>
  )
}
