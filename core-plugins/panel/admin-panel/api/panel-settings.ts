import type { Config, Setting } from '../../../foundation/config/config.ts'

const previewOriginsKey = 'security.preview.origins'

/**
 * Settings visible to every admin user, because forms and lists depend on them. Selected by key, so that those of a disabled
 * plugin are simply absent.
 */
const shownKeys: ReadonlySet<string> = new Set([
  'site.name',
  'site.url',
  'localization.locales',
  'localization.defaultLocale',
  'api.pagination.defaultLimit',
  'api.pagination.maxLimit',
  'security.password.minLength',
  'security.password.maxLength',
  previewOriginsKey,
  'media.maxFileSize',
  'media.maxFiles',
  'media.allowedTypes',
  'advanced.revisions.visibleToEditors',
])

const themeKey = 'site.theme'

/** Reads the settings that the panel needs, by key, the name of its theme, and the origins that it may frame. */
export function createPanelSettings(config: Config, all: readonly Setting<unknown>[]) {
  const shown = all.filter(({ key }) => shownKeys.has(key))
  const origins = all.find(({ key }) => key === previewOriginsKey)
  const theme = all.find(({ key }) => key === themeKey)
  return {
    settings: (): Record<string, unknown> =>
      Object.fromEntries(shown.map((setting) => [setting.key, config.get(setting)])),
    theme: (): string => (theme === undefined ? '' : String(config.get(theme))),
    framed: (): readonly string[] => (origins === undefined ? [] : (config.get(origins) as string[])),
  }
}
