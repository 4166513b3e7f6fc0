import { defineSetting, nearest, type Setting } from '../../config/config.ts'
import type { Theme } from './find-themes.ts'

export const themesDir = defineSetting<string>({
  key: 'themesDir',
  tier: 'infrastructure',
  type: 'string',
  default: './themes',
  label: 'Themes directory',
  description: 'Each folder in it that holds a theme.json is a theme of the panel',
})

/** Which theme the panel has. */
export function themeSetting(themes: readonly Theme[]): Setting<string> {
  const names = themes.map(({ name }) => name)
  return defineSetting<string>({
    key: 'site.theme',
    tier: 'runtime',
    type: 'string',
    default: '',
    maxLength: 100,
    label: 'Theme',
    description: 'The theme of the panel, by its name; empty for that of the panel itself',
    check(value) {
      if (value === '') return undefined
      const theme = themes.find(({ name }) => name === value)
      const remedy = `choose ${nearest(value, names) ?? (names.join(', ') || 'none, as there are none')}`
      if (theme === undefined) return { severity: 'fatal', message: `names no theme that is there`, remedy }
      if (theme.failure === undefined) return undefined
      const message = `names the theme ${value}, which cannot be used: ${theme.failure}`
      return { severity: 'warning', message, remedy: 'mend it, or choose another one' }
    },
  })
}
