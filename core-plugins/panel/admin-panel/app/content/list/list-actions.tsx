import { useLocation } from 'wouter'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { prefetchScreen } from '../../ground/kit/link/prefetch.ts'
import type { List } from './list-context.ts'

/** The actions of a list. */
export function ListActions({ list: { type, access, state } }: { readonly list: List }) {
  const [, navigate] = useLocation()
  if (state.isTrash || !access.mayContent(type.name, 'create')) return null
  const locale = state.locale === undefined || state.locale === '*' ? '' : `?locale=${state.locale}`
  const path = `/content/${type.name}/new${locale}`
  return (
    <Button
      look="primary"
      icon="plus"
      onPress={() => navigate(path)}
      onHoverStart={() => prefetchScreen(path)}
    >
      {t('list.new')}
    </Button>
  )
}
