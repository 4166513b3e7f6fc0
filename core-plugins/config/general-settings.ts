import { defineSetting } from './setting.ts'

/** Where the service keeps its own files; a path, relative ones from the working directory. */
export const dataDir = defineSetting({
  key: 'dataDir',
  tier: 'infrastructure',
  type: 'string',
  default: './data',
  label: 'Data directory',
  description: 'Where the service keeps files of its own, such as the SQLite database and backups.',
})

export const siteName = defineSetting({
  key: 'site.name',
  tier: 'runtime',
  type: 'string',
  default: 'Mortise',
  label: 'Site name',
  description: 'Shown in the panel, in e-mails and in the API document.',
})

export const siteUrl = defineSetting({
  key: 'site.url',
  tier: 'runtime',
  type: 'string',
  default: '',
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

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
