import { Type } from 'typebox'
import { defineSetting, type Setting, type SettingProblem } from './setting.ts'

/** The directory for the service's own files; relative paths start at the working directory. */
export const dataDir = defineSetting(
  'dataDir',
  Type.String({
    tier: 'infrastructure',
    default: './data',
    title: 'Data directory',
    description: 'Where the service keeps files of its own, such as the SQLite database and backups.',
  }),
)

export type Role = 'all' | 'web' | 'worker'

/** Which part of the service's work this process does: requests, jobs, or both. */
export const role = defineSetting(
  'server.role',
  Type.Enum(['all', 'web', 'worker'], {
    env: 'SVC_ROLE',
    tier: 'infrastructure',
    default: 'all',
    title: 'Role of the process',
    description:
      'web answers requests, worker runs jobs and schedules and answers health probes and metrics only, all does both.',
  }),
)

/** `site.name`: what the panel, mails and the API document call the site. */
export const siteName = defineSetting(
  'site.name',
  Type.String({
    tier: 'runtime',
    default: 'Mortise',
    maxLength: 255,
    title: 'Site name',
    description: 'Shown in the panel, in e-mails and in the API document.',
  }),
)

/** `site.description`: what the site is about, in a sentence or two. */
export const siteDescription = defineSetting(
  'site.description',
  Type.String({
    tier: 'runtime',
    default: '',
    maxLength: 1_000,
    title: 'Site description',
    description: 'What the site is about, in a sentence or two; shown in the API document.',
  }),
)

/** `site.url`: the public address of the site, for links in mails; empty if the project has no site. */
export const siteUrl = defineSetting(
  'site.url',
  Type.String({
    tier: 'runtime',
    isReserved: true,
    default: '',
    maxLength: 2_000,
    title: 'Site address',
    description: 'The public http(s) address of the site, for links in e-mails; empty where there is none.',
  }),
  checkAddress,
)

export const panelUrl = defineSetting(
  'site.panelUrl',
  Type.String({
    tier: 'runtime',
    isReserved: true,
    default: '',
    maxLength: 2_000,
    title: 'Address of the panel',
    description:
      'The public http(s) address of this service, which the panel is below, with the path if it has one, for links in ' +
      'e-mails to admin users; empty: that of the site.',
  }),
  checkAddress,
)

function checkAddress(value: string): SettingProblem | undefined {
  if (value === '' || isWebAddress(value)) return undefined
  return fatal(
    'is not an http or https address',
    'give the full address, such as https://www.example.com, or leave it empty',
  )
}

/** Language tags, with script and region if needed: `en`, `pt-BR`, `zh-Hant-TW`. */
const localePattern = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/

/** `localization.locales`: the locales that content can be written in. */
export const locales: Setting<readonly string[]> = defineSetting(
  'localization.locales',
  Type.Array(Type.String({ maxLength: 35 }), {
    tier: 'runtime',
    default: ['en'],
    title: 'Locales',
    description: 'The locales that content can be written in; a content type may restrict them.',
  }),
  (value, _environment, get) => {
    const wrong = value.find((name) => !localePattern.test(name))
    if (wrong !== undefined)
      return fatal(`has "${wrong}", which is not a locale`, 'use codes such as en or pt-BR')
    if (new Set(value).size < value.length) return fatal('names a locale twice', 'name each one once')
    return checkDefaultLocale(value, get(defaultLocale), 'name it')
  },
)

/** `localization.defaultLocale`: the locale of content that does not name one. */
export const defaultLocale: Setting<string> = defineSetting(
  'localization.defaultLocale',
  Type.String({
    tier: 'runtime',
    default: 'en',
    maxLength: 35,
    title: 'Default locale',
    description: 'The default locale of content; one of the locales.',
  }),
  (value, _environment, get) => checkDefaultLocale(get(locales), value, 'add it there'),
)

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

/** All general settings, to be contributed. */
export const generalSettings = [
  ...[dataDir, role, siteName, siteDescription, siteUrl, panelUrl],
  ...[locales, defaultLocale],
]
