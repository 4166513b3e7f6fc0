import type { ReactNode } from 'react'
import { t } from '../../ground/i18n/translate.ts'
import classes from './content-table.module.css'

export interface ContentTableProps {
  readonly actions: readonly string[]
  /** Whether it is on a page rather than in a dialog. */
  readonly isRoomy?: boolean
  /** One row per type, with a cell for each action. */
  readonly children: ReactNode
}

/** A table of content permissions: types by actions. */
export function ContentTable({ actions, isRoomy = false, children }: ContentTableProps) {
  const className = isRoomy ? `${classes.scroll} ${classes.roomy}` : classes.scroll
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too
    <section className={className} aria-label={t('people.roles.content')} tabIndex={0}>
      <table className={classes.table}>
        <caption>{t('people.roles.content')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('people.roles.type')}</th>
            {actions.map((action) => (
              <th key={action} scope="col">
                {action}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
