import type { CSSProperties } from 'react'
import type { ListedTheme } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../ground/kit/button/button.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { shownName } from './theme.ts'
import classes from './themes.module.css'

interface ThemeSampleProps {
  readonly theme: ListedTheme
  readonly mode: 'light' | 'dark'
}

/**
 * A sample of the panel in a theme. Styles are reset at `data-sample` as at the root of the page; its controls cannot be reached.
 */
export function ThemeSample({ theme, mode }: ThemeSampleProps) {
  const { light, dark } = theme.properties
  const label = t(`operations.themes.${mode}`, { name: shownName(theme) })
  return (
    <div role="img" aria-label={label}>
      <div
        inert
        data-sample={mode}
        className={classes.sample}
        style={propertiesOf(mode === 'dark' ? { ...light, ...dark } : light)}
      >
        <p className={classes.heading}>{t('operations.themes.heading')}</p>
        <p className={classes.quiet}>{t('operations.themes.text')}</p>
        <TextField
          label={t('operations.themes.field')}
          value={t('operations.themes.value')}
          onChange={ignore}
        />
        <p className={classes.row}>
          <Badge tone="success">{t('operations.themes.badge')}</Badge>
          <Badge tone="danger">{t('operations.themes.error')}</Badge>
        </p>
        <p className={classes.row}>
          <Button look="primary">{t('operations.themes.primary')}</Button>
          <Button>{t('operations.themes.secondary')}</Button>
        </p>
      </div>
    </div>
  )
}

const propertiesOf = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value])) as CSSProperties

const ignore = () => undefined
