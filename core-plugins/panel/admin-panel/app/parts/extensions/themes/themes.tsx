import { useMutation, useQuery } from '@tanstack/react-query'
import type { ListedTheme } from '../../../../../../../client/admin.ts'
import { api } from '../../../ground/api/client.ts'
import { queryClient } from '../../../ground/api/query-client.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../ground/kit/button/button.tsx'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { Page } from '../../../ground/kit/page/page.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { useSettings } from '../../runtime-config/use-settings.ts'
import { plainTheme, shownName } from './theme.ts'
import { ThemeSample } from './theme-sample.tsx'
import classes from './themes.module.css'

const setting = 'site.theme'

/** The available themes, each with a sample in light and dark. */
export default function ThemesScreen() {
  const { data, error } = useQuery({
    queryKey: ['themes'],
    queryFn: ({ signal }) => api.send<readonly ListedTheme[]>('GET', '/admin/themes', { signal }),
  })
  const themes = data === undefined ? [] : [plainTheme(data), ...data]
  return (
    <Page title={t('operations.themes.title')}>
      {data === undefined && error !== null && (
        <EmptyState icon="triangle-alert" title={t('operations.themes.failed')}>
          {errorText(error)}
        </EmptyState>
      )}
      {data === undefined && error === null && <Skeleton lines={10} />}
      <ul className={classes.themes}>
        {themes.map((theme) => (
          <li key={theme.name}>
            <Theme theme={theme} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

function Theme({ theme }: { readonly theme: ListedTheme }) {
  const { description, version, isActive, problem } = theme
  const name = shownName(theme)
  return (
    <article className={classes.theme} aria-label={name}>
      <header className={classes.head}>
        <h2>{name}</h2>
        {version !== '' && <span className={classes.note}>{version}</span>}
        {isActive && <Badge tone="success">{t('operations.themes.active')}</Badge>}
        {problem !== null && <Badge tone="danger">{t('operations.themes.broken')}</Badge>}
      </header>
      <p className={classes.note}>{problem ?? description}</p>
      {problem === null && (
        <div className={classes.samples}>
          <ThemeSample theme={theme} mode="light" />
          <ThemeSample theme={theme} mode="dark" />
        </div>
      )}
      {!isActive && problem === null && <ChooseButton theme={theme} />}
    </article>
  )
}

/** Chooses a theme, unless the environment or the config file has fixed it. */
function ChooseButton({ theme }: { readonly theme: ListedTheme }) {
  const { settings, isReadOnly, save } = useSettings('site')
  const chosen = settings?.find(({ key }) => key === setting)
  const choice = useMutation({
    mutationFn: () => save({ [setting]: theme.name }),
    onSuccess: () => toast('success', t('operations.themes.chosen', { name: shownName(theme) })),
    onError: (error) => toast('danger', errorText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['themes'] }),
  })
  if (chosen === undefined || isReadOnly) return null
  if (chosen.locked) return <p className={classes.note}>{t('operations.themes.locked')}</p>
  return (
    <div>
      <Button
        aria-label={t('operations.themes.chooseTheme', { name: shownName(theme) })}
        isPending={choice.isPending}
        onPress={() => choice.mutate()}
      >
        {t('operations.themes.choose')}
      </Button>
    </div>
  )
}
