import { Type } from 'typebox'
import { nearest } from '../../../../kernel/index.ts'
import { defineSetting, type Setting } from '../../../foundation/config/config.ts'
import type { Theme } from './find-themes.ts'

export const themesDir = defineSetting(
  'themesDir',
  Type.String({
    tier: 'infrastructure',
    default: './themes',
    title: 'Themes directory',
    description: 'Each folder in it that holds a theme.json is a theme of the panel',
  }),
)

/** The theme of the panel. */
export function themeSetting(themes: readonly Theme[]): Setting<string> {
  const names = themes.map(({ name }) => name)
  return defineSetting(
    'site.theme',
    Type.String({
      tier: 'runtime',
      default: '',
      maxLength: 100,
      title: 'Theme',
      description: 'The theme of the panel, by its name; empty for that of the panel itself',
    }),
    (value) => {
      if (value === '') return undefined
      const theme = themes.find(({ name }) => name === value)
      const remedy = `choose ${nearest(value, names) ?? (names.join(', ') || 'none, as there are none')}`
      if (theme === undefined)
        return { severity: 'fatal', message: `names a theme that does not exist`, remedy }
      if (theme.failure === undefined) return undefined
      const message = `names the theme ${value}, which cannot be used: ${theme.failure}`
      return { severity: 'warning', message, remedy: 'fix it, or choose another one' }
    },
  )
}
