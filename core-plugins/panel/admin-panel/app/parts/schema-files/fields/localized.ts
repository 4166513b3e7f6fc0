import { type FileAttribute, without } from '../draft/file-content.ts'

type Options = Readonly<Record<string, unknown>>

/** Whether each locale has a value of its own; files and descriptions say it differently. */
export function isLocalized({ localized, pluginOptions }: FileAttribute): boolean {
  return (
    localized === true ||
    ((pluginOptions as Options | undefined)?.i18n as Options | undefined)?.localized === true
  )
}

/** The attribute with a value for each locale, or with one for all. */
export function withLocalized(attribute: FileAttribute, isOn: boolean): FileAttribute {
  const { i18n: _, ...others } = (attribute.pluginOptions ?? {}) as Options
  const pluginOptions = isOn ? { ...others, i18n: { localized: true } } : others
  if (Object.keys(pluginOptions).length === 0) return without(attribute, 'pluginOptions')
  return { ...attribute, pluginOptions }
}
