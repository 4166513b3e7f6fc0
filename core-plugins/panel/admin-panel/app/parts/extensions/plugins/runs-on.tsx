import { useQuery } from '@tanstack/react-query'
import { admin } from '../../../ground/api/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Facts } from '../../../ground/kit/resource-list/facts.tsx'

/** The versions of Mortise, Node.js and the server; left out if the user may not read them. */
export function RunsOn() {
  const { data } = useQuery({
    queryKey: ['versions'],
    queryFn: ({ signal }) => admin.versions({ signal }),
  })
  if (data === undefined) return null
  return (
    <Facts
      isWide
      facts={[
        ['Mortise', data.mortise],
        ['Node.js', data.node],
        [t('operations.plugins.server'), data.nativeServer ?? 'node:http'],
        [t('operations.plugins.notNative'), data.problem],
      ]}
    />
  )
}
