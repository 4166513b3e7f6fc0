import { defineSetting, type Setting, type SettingProblem } from './setting.ts'

/** Where the service keeps its own files; a path, relative ones from the working directory. */
export const dataDir = defineSetting({
  key: 'dataDir',
  tier: 'infrastructure',
  type: 'string',
  default: './data',
  label: 'Data directory',
  description: 'Where the service keeps files of its own, such as the SQLite database and backups.',
})

export type Role = 'all' | 'web' | 'worker'

/** What this process does of the service's work. */
export const role = defineSetting<Role>({
  key: 'server.role',
  env: 'SVC_ROLE',
  tier: 'infrastructure',
  type: 'string',
  default: 'all',
  enum: ['all', 'web', 'worker'],
  label: 'Role of the process',
  description:
    'web answers requests, worker runs jobs and schedules and answers health probes and metrics only, all does both.',
})

export const siteName = defineSetting({
  key: 'site.name',
  tier: 'runtime',
  type: 'string',
  default: 'Mortise',
  maxLength: 255,
  label: 'Site name',
  description: 'Shown in the panel, in e-mails and in the API document.',
})

export const siteDescription = defineSetting({
  key: 'site.description',
  tier: 'runtime',
  type: 'string',
  default: '',
  maxLength: 1_000,
  label: 'Site description',
  description: 'What the site is about, in a sentence or two; shown in the API document.',
})

export const siteUrl = defineSetting({
  key: 'site.url',
  tier: 'runtime',
  isReserved: true,
  type: 'string',
  default: '',
  maxLength: 2_000,
  label: 'Site address',
  description: 'The public http(s) address of the site, for links in e-mails; empty where there is none.',
  check(value) {
    if (value === '' || isWebAddress(value)) return undefined
    return {
      severity: 'fatal',
      message: 'is not an http or https address',
      remedy: 'give it whole, such as https://www.example.com, or leave it empty',
    }
  },
})

/** Languages, with script and region where they matter: `en`, `pt-BR`, `zh-Hant-TW`. */
const localePattern = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/

export const locales: Setting<readonly string[]> = defineSetting({
  key: 'localization.locales',
  tier: 'runtime',
  type: 'string[]',
  default: ['en'],
  maxLength: 35,
  label: 'Locales',
  description: 'The locales that content can be written in; a content type may restrict them.',
  check(value, _environment, get) {
    const wrong = value.find((name) => !localePattern.test(name))
    if (wrong !== undefined) return fatal(`has "${wrong}", which is no locale`, 'write such as en or pt-BR')
    if (new Set(value).size < value.length) return fatal('names a locale twice', 'name each one once')
    return checkDefaultLocale(value, get(defaultLocale), 'name it')
  },
})

export const defaultLocale: Setting<string> = defineSetting({
  key: 'localization.defaultLocale',
  tier: 'runtime',
  type: 'string',
  default: 'en',
  maxLength: 35,
  label: 'Default locale',
  description: 'The locale of content that does not say otherwise; one of the locales.',
  check: (value, _environment, get) => checkDefaultLocale(get(locales), value, 'add it there'),
})

function checkDefaultLocale(all: readonly string[], chosen: string, remedy: string) {
  if (all.includes(chosen)) return undefined
  return fatal(
    `leaves the default locale ${chosen} out of localization.locales (${all.join(', ') || 'none'})`,
    `${remedy}, or choose another localization.defaultLocale`,
  )
}

function fatal(message: string, remedy: string): SettingProblem {
  return { severity: 'fatal', message, remedy }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** All of them, to be contributed. */
export const generalSettings = [dataDir, role, siteName, siteDescription, siteUrl, locales, defaultLocale]
