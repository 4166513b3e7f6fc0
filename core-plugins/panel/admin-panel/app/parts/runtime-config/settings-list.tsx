import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { usePanelItems } from '../../shell/panel-items.ts'
import { categoryName } from './category-name.ts'
import classes from './settings.module.css'
import { useAllSettings } from './use-settings.ts'

const groups = ['service', 'plugins', 'themes'] as const

/** All categories of settings: those of the service, of plugins and of themes. */
export default function SettingsList() {
  const { data, error } = useAllSettings()
  return (
    <Page title={t('settings.title')} width="text">
      {error !== null && <EmptyState icon="triangle-alert" title={errorText(error)} />}
      {data === undefined && error === null && <Skeleton lines={8} />}
      {groups.map((group) => (
        <Group
          key={group}
          group={group}
          categories={Object.keys(data ?? {}).filter((each) => groupOf(each) === group)}
        />
      ))}
    </Page>
  )
}

function groupOf(category: string): (typeof groups)[number] {
  const [first] = category.split('.')
  return category.includes('.') && (first === 'plugins' || first === 'themes') ? first : 'service'
}

interface GroupProps {
  readonly group: (typeof groups)[number]
  readonly categories: readonly string[]
}

function Group({ group, categories }: GroupProps) {
  const { settings: items } = usePanelItems()
  if (categories.length === 0) return null
  return (
    <section className={classes.group}>
      <h2>{t(`settings.${group}`)}</h2>
      <ul className={classes.categories}>
        {categories.map((category) => (
          <li key={category}>
            <Link to={`/settings/${category}`} className={classes.category}>
              <Icon name={items.find((item) => item.category === category)?.icon ?? 'settings-2'} />
              {categoryName(category, items)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
