import type { FileProblem } from '../files/file-problem.ts'
import type { SchemaSource } from '../files/schema-source.ts'
import { snakeCase } from './names.ts'

/** Checks the options of drafts and localisation; the workflow plugin checks its own. */
export function checkOptions(type: SchemaSource): FileProblem[] {
  return [...checkDraftOverlay(type), ...checkIncompleteDrafts(type), ...checkLocales(type)]
}

/** A system field of entries of types with a draft overlay. */
const draftMark = 'has_draft'

function checkDraftOverlay({ content }: SchemaSource): FileProblem[] {
  const { draftAndPublish, draftOverlay } = content.options ?? {}
  if (draftOverlay !== true) return []
  const taken = Object.keys(content.attributes).filter((name) => snakeCase(name) === draftMark)
  const problems = taken.map((name) => ({
    at: `attributes.${name}`,
    message: 'is a name that the service uses itself where options.draftOverlay is true',
    remedy: 'choose another name',
  }))
  if (draftAndPublish === true) return problems
  const message = 'is true, but entries of this type are not published'
  return [
    { at: 'options.draftOverlay', message, remedy: 'set options.draftAndPublish to true, or leave it out' },
    ...problems,
  ]
}

function checkIncompleteDrafts({ content }: SchemaSource): FileProblem[] {
  const { draftAndPublish, incompleteDrafts } = content.options ?? {}
  if (incompleteDrafts !== true || draftAndPublish === true) return []
  const message = 'is true, but entries of this type have no drafts'
  const remedy = 'set options.draftAndPublish to true, or leave it out'
  return [{ at: 'options.incompleteDrafts', message, remedy }]
}

function checkLocales({ content }: SchemaSource): FileProblem[] {
  const { locales, defaultLocale } = content.options?.i18n ?? {}
  const bad = [...(locales ?? []), defaultLocale ?? 'en'].filter((locale) => !isLocale(locale))
  if (bad.length > 0) {
    const message = `cannot be ${bad.join(', ')}`
    return [{ at: 'options.i18n', message, remedy: 'write locales such as en, de-CH or zh-Hant' }]
  }
  if (locales === undefined || defaultLocale === undefined || locales.includes(defaultLocale)) return []
  return [
    {
      at: 'options.i18n.defaultLocale',
      message: `is ${defaultLocale}, which is not among the locales`,
      remedy: `use one of ${locales.join(', ')}, or add it there`,
    },
  ]
}

function isLocale(text: string): boolean {
  return /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{2,8})*$/.test(text)
}
