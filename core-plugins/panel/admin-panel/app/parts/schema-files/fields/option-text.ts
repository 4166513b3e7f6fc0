import { language, type TextKey, t } from '../../../ground/i18n/translate.ts'
import type { FileAttribute } from '../draft/file-content.ts'

/** The text of a key, or a fallback: types and options of plugins have only names. */
function known(key: string, fallback: string): string {
  const text = t(key as TextKey)
  return text === key ? fallback : text
}

/** `Text` for `string`. */
export const typeName = (type: string): string => known(`model.fieldTypes.${type}`, type)

/** `Most characters` for `maxLength`. */
export const optionName = (option: string): string => known(`model.options.${option}`, option)

/** `is` for `eq`. */
export const operatorName = (operator: string): string => known(`model.operators.${operator}`, operator)

/** The help text of an option from the panel, else the service's English description. */
export function optionHelp(option: string, described?: string): string | undefined {
  const isKnown = optionName(option) !== option
  return known(`model.optionHelp.${option}`, isKnown ? '' : (described ?? '')) || undefined
}

/** The help text of a field type from the panel, else the service's English description. */
export function typeHelp(type: string, described?: string): string | undefined {
  return typeName(type) === type || language() === 'en' ? described : undefined
}

/** Options shown elsewhere or not worth mentioning. */
const silent: ReadonlySet<string> = new Set([
  ...[
    'type',
    'description',
    'required',
    'pluginOptions',
    'relation',
    'target',
    'many',
    'inverse',
    'localized',
  ],
  ...['mappedBy', 'inversedBy', 'component', 'components', 'enum', 'condition', 'private'],
])

/** The options of a field on one line: `Most characters 255 · Unique`. */
export function optionsText(attribute: FileAttribute): string {
  return Object.entries(attribute)
    .filter(([option, value]) => !silent.has(option) && value !== false && value !== undefined)
    .map(([option, value]) => (value === true ? optionName(option) : `${optionName(option)} ${shown(value)}`))
    .join(' · ')
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
