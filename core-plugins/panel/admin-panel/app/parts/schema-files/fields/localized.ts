import { type FileAttribute, without } from '../draft/file-content.ts'

type Options = Readonly<Record<string, unknown>>

/** Whether each locale has its own value; schema files and descriptions express it differently. */
export function isLocalized({ localized, pluginOptions }: FileAttribute): boolean {
  return (
    localized === true ||
    ((pluginOptions as Options | undefined)?.i18n as Options | undefined)?.localized === true
  )
}

/** Makes an attribute localised or shared by all locales. */
export function withLocalized(attribute: FileAttribute, isOn: boolean): FileAttribute {
  const { i18n: _, ...others } = (attribute.pluginOptions ?? {}) as Options
  const pluginOptions = isOn ? { ...others, i18n: { localized: true } } : others
  if (Object.keys(pluginOptions).length === 0) return without(attribute, 'pluginOptions')
  return { ...attribute, pluginOptions }
}
