import type { MediaUsage } from '../../../../../../../client/client.ts'
import { labelOf } from '../../../content/schema/label.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { useContentTypes } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Link } from '../../../ground/kit/link/link.tsx'
import classes from './used-in.module.css'

export interface UsageListProps {
  /** Usages; for several files, each has the id of its file. */
  readonly usages: readonly (MediaUsage & { readonly mediaId?: number })[]
  readonly total: number
}

/** The fields that use the file; those in entries that the user may not read are only counted. */
export function UsageList({ usages, total }: UsageListProps) {
  const types = useContentTypes() ?? []
  const access = useAccess()
  const nameOf = (name: string) => types.find((type) => type.name === name)?.info.displayName ?? name
  const placeOf = ({ type: name, field }: MediaUsage) => {
    const type = types.find((each) => each.name === name)
    const attribute = type?.attributes.find((each) => each.name === field)
    return `${nameOf(name)} · ${attribute === undefined ? field : labelOf(attribute)}`
  }
  const rest = total - usages.length
  return (
    <ul className={classes.list}>
      {usages.map((usage) => (
        <li key={`${usage.type} ${usage.id} ${usage.field} ${usage.mediaId ?? 0}`}>
          {access.mayContent(usage.type, 'read') && usage.title !== null ? (
            <Link to={`/content/${usage.type}/${usage.id}`}>
              {usage.title === '' ? `${nameOf(usage.type)} ${usage.id}` : usage.title}
            </Link>
          ) : (
            <span>{t('media.hiddenEntry')}</span>
          )}
          <span className={classes.place}>{placeOf(usage)}</span>
        </li>
      ))}
      {rest > 0 && <li className={classes.place}>{t('media.andMore', { count: rest })}</li>}
    </ul>
  )
}
