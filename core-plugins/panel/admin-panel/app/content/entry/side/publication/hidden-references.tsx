import { momentText } from '../../../../ground/i18n/moment-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Icon } from '../../../../ground/kit/icon/icon.tsx'
import { Link } from '../../../../ground/kit/link/link.tsx'
import classes from './publication.module.css'
import type { HiddenReference } from './use-publish-preview.ts'

/** Lists related entries that are not public: readers will not see them. */
export function HiddenReferences({ references }: { readonly references: readonly HiddenReference[] }) {
  return (
    <section className={classes.hidden}>
      <h3 className={classes.hiddenTitle}>
        <Icon name="eye-off" />
        {t('publication.hiddenTitle', { count: references.length })}
      </h3>
      <ul className={classes.hiddenList}>
        {references.map(({ type, id, title, scheduledAt }) => (
          <li key={`${type.name}:${id}`}>
            {type.info.displayName} <Link to={`/content/${type.name}/${id}`}>{title}</Link>{' '}
            {scheduledAt === undefined
              ? t('publication.hiddenNow')
              : t('publication.hiddenUntil', { time: momentText(scheduledAt) })}
          </li>
        ))}
      </ul>
    </section>
  )
}
